use std::fs;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn executable(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn search(configured: Option<&str>, search_path: Option<&OsStr>) -> ShellSearch {
    ShellSearch::new(
        configured.map(PathBuf::from),
        search_path.map(ToOwned::to_owned),
        "/no/such/program",
    )
}

#[test]
fn a_configured_shell_is_taken_or_refused_and_never_replaced() {
    let found = |path| search(Some(path), Some(OsStr::new("/bin"))).find(Shell::Bash);
    assert_eq!(found("/etc/passwd").unwrap(), Path::new("/etc/passwd"));
    let error = found("/no/such").unwrap_err();
    assert_snapshot!(error, @"Custom shell path not found: /no/such");
}

#[test]
fn bash_goes_before_sh_and_earlier_directories_before_later_ones() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir_all(at("a/bash")).unwrap();
    executable(&at("a/sh"));
    fs::create_dir_all(at("b")).unwrap();
    fs::write(at("b/bash"), "not executable").unwrap();
    let none = at("none");
    let path = |names: &[&str]| std::env::join_paths(names.iter().map(|name| at(name))).unwrap();
    let found = |shell, default: &Path, names: &[&str]| {
        let search = search(None, Some(&path(names)));
        search.find_or(shell, default).unwrap()
    };
    assert_eq!(found(Shell::Bash, &none, &["a", "b"]), at("a/sh"));
    executable(&at("c/bash"));
    executable(&at("d/bash"));
    let all = ["a", "b", "c", "d"];
    assert_eq!(found(Shell::Bash, &none, &all), at("c/bash"));
    assert_eq!(found(Shell::Sh, &none, &all), at("a/sh"));
    assert_eq!(found(Shell::Sh, &none, &["b", "c"]), at("c/bash"));
    assert_eq!(found(Shell::Bash, &at("d/bash"), &["c"]), at("d/bash"));
}

#[test]
fn the_program_itself_is_no_shell_whatever_it_is_called() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    for name in ["program", "links/other", "real/bash"] {
        executable(&at(name));
    }
    std::os::unix::fs::symlink(at("program"), at("links/bash")).unwrap();
    fs::hard_link(at("program"), at("links/sh")).unwrap();
    let path = std::env::join_paths([at("links"), at("real")]).unwrap();
    let search = |configured| ShellSearch::new(configured, Some(path.clone()), at("program"));
    for shell in [Shell::Bash, Shell::Sh] {
        let found = search(None).find_or(shell, &at("links/bash"));
        assert_eq!(found.unwrap(), at("real/bash"));
    }
    let error = search(Some(at("links/sh"))).find(Shell::Bash).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("links/sh, is this program itself: give the path of a real shell")
    );
}

#[test]
fn without_any_shell_the_places_are_named() {
    let path = Some(OsStr::new("relative::/no/such"));
    let error = search(None, path)
        .find_or(Shell::Bash, Path::new("/no/bash"))
        .unwrap_err();
    assert_snapshot!(error, @r#"no shell found: there is no /no/bash, and neither bash nor sh on the search path "relative::/no/such"; install bash or set the path of a shell"#);
}

#[test]
fn options_come_first_and_the_name_last() {
    let invocation = Invocation {
        shell: Shell::Bash,
        options: vec!["-l".into(), "-e".into()],
        name: Some("me".into()),
    };
    let shell = Path::new("/bin/bash");
    let called = arguments(shell, &invocation, "true");
    assert_eq!(called, ["-l", "-e", "-c", "true", "me"]);
    let long = "x".repeat(MAX_ARGUMENT_BYTES + 1);
    let called = arguments(shell, &invocation, &long);
    assert_eq!(called[..3], ["-l", "-e", "-c"]);
    assert_eq!((called[4].to_str(), called.len()), (Some("me"), 7));
    let plain = arguments(shell, &Invocation::default(), "true");
    assert_eq!(plain, ["-c", "true"]);
}

proptest! {
    #[test]
    fn parts_make_the_whole_and_fit(text in ".{0,60}", max_bytes in 4_usize..12) {
        let parts = parts(&text, max_bytes);
        prop_assert_eq!(parts.concat(), &*text);
        // A character that does not fit any more has four bytes at most.
        let (last, others) = parts.split_last().unwrap_or((&"", &[]));
        prop_assert!(last.len() <= max_bytes);
        prop_assert!(others.iter().all(|part| (max_bytes - 3..=max_bytes).contains(&part.len())));
    }
}
