use std::os::unix::fs::symlink;

use insta::assert_snapshot;

use super::*;

fn refusal(path: &Path, confine_to: Option<&Path>) -> CwdError {
    Cwd::open(path, confine_to).unwrap_err()
}

#[test]
fn a_directory_keeps_the_path_that_it_was_opened_by() {
    assert_eq!(
        Cwd::open(Path::new("/usr/.."), None).unwrap().path(),
        "/usr/.."
    );
}

#[test]
fn what_is_no_working_directory_is_refused_by_name() {
    assert_snapshot!(refusal(Path::new("/no/such\u{1b}[2J"), None), @r"
    Working directory does not exist: /no/such\u{1b}[2J
    Cannot execute bash commands.
    ");
    assert_snapshot!(refusal(Path::new("/etc/passwd"), None), @r"
    Working directory is not a directory: /etc/passwd
    Cannot execute bash commands.
    ");
    assert_snapshot!(refusal(Path::new("sub"), None), @r"
    Working directory is not an absolute path: sub
    Cannot execute bash commands.
    ");
    assert_snapshot!(refusal(Path::new("/a\0b"), None), @r"
    Working directory cannot be opened: /a\u{0}b: Invalid argument (os error 22)
    Cannot execute bash commands.
    ");
}

#[test]
fn a_directory_without_permission_is_told_from_a_missing_one() {
    let source = io::Error::from_raw_os_error(nix::libc::EACCES);
    assert_snapshot!(CwdError::from_system("/private".into(), source), @r"
    Working directory cannot be entered, permission denied: /private
    Cannot execute bash commands.
    ");
}

#[test]
fn confinement_follows_links_on_both_sides() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let (workspace, outside) = (root.join("workspace"), root.join("workspace-other"));
    for path in [&workspace.join("sub"), &outside] {
        fs::create_dir_all(path).unwrap();
    }
    let (to_workspace, way_out) = (root.join("link"), workspace.join("out"));
    symlink(&workspace, &to_workspace).unwrap();
    symlink(&outside, &way_out).unwrap();
    for inside in [
        &workspace,
        &workspace.join("sub"),
        &to_workspace.join("sub"),
    ] {
        for confine_to in [&workspace, &to_workspace] {
            assert!(Cwd::open(inside, Some(confine_to)).is_ok(), "{inside:?}");
        }
    }
    for path in [&outside, &way_out, &root, &workspace.join("..")] {
        let error = refusal(path, Some(&to_workspace)).to_string();
        let shown = workspace.display();
        assert!(
            error.starts_with(&format!(
                "Working directory is outside the workspace {shown}: "
            )),
            "{error}"
        );
    }
}

#[test]
fn a_workspace_that_is_not_there_is_named() {
    let error = refusal(Path::new("/"), Some(Path::new("/no/such/workspace")));
    assert_snapshot!(error, @"the workspace /no/such/workspace cannot be resolved");
}
