use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use proptest::prelude::*;
use spawnhook_model::{Env, Failure, FailureClass, Field, HookResult, Stage};

use super::contents::Contents;
use super::*;
use crate::audit::sha256_hex;

const COMMAND: &str = "set -e\nnpm test";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn tickets(&self) -> PathBuf {
        self.0.path().join("state/tickets")
    }

    fn cwd(&self) -> &Path {
        self.0.path()
    }

    fn ticket(&self) -> Ticket {
        ticket(self.cwd())
    }

    fn issue(&self) -> PathBuf {
        issue(&self.tickets(), &self.ticket()).unwrap()
    }

    fn redeem(&self, path: &Path) -> Result<Ticket, TicketError> {
        redeem(path, COMMAND, self.cwd())
    }
}

fn report(name: &str, result: HookResult, changed: Vec<Field>) -> HookReport {
    HookReport {
        name: name.to_owned(),
        stage: Stage::Rewrite,
        took: Duration::from_micros(41),
        result,
        changed,
        notices: vec!["said".to_owned()],
    }
}

fn ticket(cwd: &Path) -> Ticket {
    let skipped = HookResult::Skipped(Failure {
        class: FailureClass::CpuLimit,
        message: "too slow".to_owned(),
    });
    let mut env: Env = [("PATH", "/bin"), ("EMPTY", "")].into_iter().collect();
    env.set("NOT_UTF8", OsString::from_vec(vec![0xff, b'x']));
    Ticket {
        agent: "claude".to_owned(),
        cwd: cwd.to_owned(),
        settled: Settled {
            call: "6f1c".to_owned(),
            requested: "npm test".to_owned(),
            prefix: "set -e\n".to_owned(),
            spawn: SpawnContext {
                command: COMMAND.to_owned(),
                cwd: cwd.join("below"),
                env,
            },
            reports: vec![
                report("a", HookResult::Changed, vec![Field::Command, Field::Env]),
                report("b", HookResult::Unchanged, Vec::new()),
                report("c", HookResult::NotCalled, Vec::new()),
                report("d", skipped, Vec::new()),
            ],
            questions: vec![("guard".to_owned(), "may it?".to_owned())],
        },
        timeout: Some(1.5),
        session: Session {
            id: Some("s".to_owned()),
            reasoning_level: Some("high".to_owned()),
            ..Session::default()
        },
        deployment: DeploymentNames {
            start_directory: cwd.to_owned(),
            config: Some(cwd.join("config.toml")),
            hooks: vec!["guard:/x.wasm".into()],
        },
    }
}

#[test]
fn a_ticket_comes_back_as_it_was_issued_and_only_once() {
    let place = Place::new();
    let path = place.issue();
    assert_eq!(peek(&path, COMMAND, place.cwd()).unwrap(), place.ticket());
    assert_eq!(place.redeem(&path).unwrap(), place.ticket());
    let again = place.redeem(&path).unwrap_err();
    assert!(matches!(again, TicketError::Missing { .. }), "{again}");
}

#[test]
fn a_ticket_is_a_file_that_nobody_else_can_read() {
    let place = Place::new();
    let path = place.issue();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(&place.tickets()), 0o700);
    assert_ne!(path, place.issue(), "each has a name of its own");
}

#[test]
fn a_ticket_that_others_could_have_written_is_no_good() {
    let place = Place::new();
    let path = place.issue();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    let loose = place.redeem(&path).unwrap_err().to_string();
    assert!(loose.contains("is open to others"), "{loose}");
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(place.tickets(), Permissions::from_mode(0o755)).unwrap();
    let loose = place.redeem(&path).unwrap_err().to_string();
    assert!(loose.contains("tickets is open to others"), "{loose}");
    let none = issue(&place.tickets(), &place.ticket()).unwrap_err();
    assert!(matches!(none, TicketError::NotPrivate { .. }), "{none}");
}

#[test]
fn a_ticket_of_another_user_is_no_good() {
    let place = Place::new();
    let path = place.issue();
    if !rustix::process::geteuid().is_root() {
        // nobody else can give a file away
        return;
    }
    std::os::unix::fs::chown(&path, Some(65534), None).unwrap();
    let foreign = place.redeem(&path).unwrap_err().to_string();
    assert!(foreign.contains("belongs to another user"), "{foreign}");
}

#[test]
fn a_link_to_a_ticket_is_none() {
    let place = Place::new();
    let path = place.issue();
    let link = place.tickets().join("link");
    symlink(&path, &link).unwrap();
    let error = place.redeem(&link).unwrap_err();
    assert!(matches!(error, TicketError::Io { .. }), "{error}");
}

#[test]
fn a_ticket_is_bound_to_all_that_is_in_it() {
    let place = Place::new();
    let path = place.issue();
    let text = fs::read_to_string(&path).unwrap();
    for (was, becomes) in [
        ("claude", "codex!"),
        ("npm test", "npm best"),
        ("PATH", "MATH"),
        ("below", "above"),
    ] {
        let bytes = |text: &str| serde_json::to_string(text.as_bytes()).unwrap();
        let (was_bytes, becomes_bytes) = (bytes(was), bytes(becomes));
        let inner = |text: &str| text.trim_matches(['[', ']']).to_owned();
        let altered = text
            .replace(was, becomes)
            .replace(&inner(&was_bytes), &inner(&becomes_bytes));
        assert_ne!(altered, text, "{was}");
        let path = place.issue();
        fs::write(&path, altered).unwrap();
        let error = place.redeem(&path).unwrap_err();
        assert!(matches!(error, TicketError::Altered { .. }), "{error}");
    }
}

#[test]
fn a_ticket_is_for_one_command_in_one_directory() {
    let place = Place::new();
    let path = place.issue();
    let other = peek(&path, "npm test", place.cwd()).unwrap_err();
    assert!(matches!(other, TicketError::OtherCommand { .. }), "{other}");
    let other = peek(&path, COMMAND, Path::new("/")).unwrap_err();
    assert!(matches!(other, TicketError::OtherCwd { .. }), "{other}");
    let link = place.cwd().join("link");
    symlink(place.cwd(), &link).unwrap();
    peek(&path, COMMAND, &link).unwrap();
}

#[test]
fn a_ticket_expires_and_is_none_before_its_time() {
    let place = Place::new();
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let now = u64::try_from(now.as_millis()).unwrap();
    fs::create_dir_all(place.tickets()).unwrap();
    fs::set_permissions(place.tickets(), Permissions::from_mode(0o700)).unwrap();
    for expires in [now - 1, now + 3_600_000, 0, u64::MAX] {
        let contents = Contents::new(&place.ticket(), 1, expires);
        let bytes = serde_json::to_vec(&contents).unwrap();
        let path = place.tickets().join(&sha256_hex(&bytes)[..32]);
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let error = place.redeem(&path).unwrap_err();
        assert!(matches!(error, TicketError::Expired), "{error}");
        assert!(!path.exists(), "it is of no use to anybody");
    }
}

#[test]
fn a_ticket_is_found_by_what_it_is_for() {
    let place = Place::new();
    let path = place.issue();
    let find = |agent, command| find(&place.tickets(), agent, command, place.cwd());
    assert_eq!(find("claude", COMMAND), Some(path));
    assert_eq!(find("cursor", COMMAND), None);
    assert_eq!(find("claude", "npm test"), None);
}

proptest! {
    #[test]
    fn no_file_is_taken_for_a_ticket(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let place = Place::new();
        let path = place.issue();
        fs::write(&path, &bytes).unwrap();
        let named = place.tickets().join(&sha256_hex(&bytes)[..32]);
        fs::rename(&path, &named).unwrap();
        prop_assert!(place.redeem(&named).is_err());
    }
}
