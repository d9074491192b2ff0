use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::case::Machine;

/// Names the browser that the report is opened in; without one it is read as it was written.
const BROWSER: &str = "SPAWNHOOK_BROWSER";

/// The page as a browser has it once its script has run.
fn opened(browser: &OsStr, page: &Path, home: &Path) -> String {
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .arg(format!(
            "--user-data-dir={}",
            home.join("chromium").display()
        ))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .env("HOME", home)
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!(
            "{} does not start ({error}); on Debian: apt-get install chromium",
            browser.display()
        )
    });
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The text of the element that starts with `start`.
#[track_caller]
fn text_of<'a>(page: &'a str, start: &str) -> &'a str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("{start}"));
    rest.split('<').next().unwrap()
}

#[test]
fn the_page_shows_what_is_in_the_log() {
    let machine = Machine::with_config(
        "[[hook]]\nname = \"strict\"\ncomponent = \"builtin:command-rewrite\"\nstage = \"rewrite\"\n\
         may = { command = true }\nsettings = { prepend = [\"set -o pipefail\"] }\n",
    );
    let guard = machine.component("hooks/no-push.wat");
    let hook = format!("guard:{}", guard.display());
    machine.run("true").check();
    machine.json("exit 3").code(3).object();
    machine
        .json("sleep 60")
        .with(&["--timeout", "0.1"])
        .code(124)
        .object();
    machine
        .json("git push")
        .with(&["--hook", &hook])
        .code(126)
        .object();
    let nasty = "echo '</script><script>document.title = \"taken\"</script><img src=x>'";
    machine.json(nasty).object();
    let page = machine.path("report.html");
    machine
        .case(["audit", "report", "--output", page.to_str().unwrap()])
        .check();
    let browser = std::env::var_os(BROWSER);
    let shown = match &browser {
        Some(browser) => opened(browser, &page, &machine.path("home")),
        None => fs::read_to_string(&page).unwrap(),
    };
    assert!(
        shown.contains("<title>Audit report</title>"),
        "the log's own script ran"
    );
    assert!(shown.contains("The log is whole"));
    for (id, count) in [
        ("commands", "5"),
        ("succeeded", "2"),
        ("failed", "1"),
        ("stopped", "1"),
        ("refused", "1"),
        ("unended", "0"),
    ] {
        assert_eq!(text_of(&shown, &format!("<dd id=\"{id}\">")), count, "{id}");
    }
    if browser.is_some() {
        // By the script of the page.
        assert_eq!(text_of(&shown, "<output class=\"muted small\">"), "5 of 5");
    }
    assert_eq!(shown.matches("<tr data-kind=").count(), 5);
    assert_eq!(shown.matches("<script").count(), 1);
    assert_eq!(shown.matches("<img").count(), 0);
    assert!(shown.contains("<ins>set -o pipefail"), "what a hook added");
    assert!(shown.contains("no-push.wasm: "), "who refused");
    assert!(shown.contains("exited 3"), "how it ended");
}

#[test]
fn the_page_goes_to_stdout_where_no_file_is_named_and_is_for_its_owner_alone_where_one_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let machine = Machine::new();
    machine.run("true").check();
    let (page, _) = machine.case(["audit", "report"]).texts();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    let file = machine.path("report.html");
    machine
        .case(["audit", "report", "-o", file.to_str().unwrap()])
        .check();
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let (_, stderr) = machine
        .case(["audit", "report", "-o", "/none/x.html"])
        .code(125)
        .texts();
    assert!(stderr.contains("--output: /none/x.html"), "{stderr}");
}

#[test]
fn of_a_log_that_was_tampered_with_the_page_and_stderr_say_so() {
    let machine = Machine::new();
    machine.run("true").check();
    machine.run("true").check();
    let text = fs::read_to_string(machine.audit_path()).unwrap();
    fs::write(machine.audit_path(), text.replacen("true", "tru3", 1)).unwrap();
    let (page, stderr) = machine
        .case(["audit", "report", "--ending", "denied"])
        .texts();
    assert!(page.contains("The log was tampered with"));
    assert!(page.contains("audit.jsonl, what the filters let through"));
    assert!(
        stderr.contains("the log was tampered with: line 1: "),
        "{stderr}"
    );
}
