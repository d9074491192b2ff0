use std::fs;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn executable(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_configured_shell_is_taken_or_refused_and_never_replaced() {
    let default = Path::new("/bin/sh");
    let found = find(Some(Path::new("/etc/passwd")), default, None).unwrap();
    assert_eq!(found, Path::new("/etc/passwd"));
    let error = find(
        Some(Path::new("/no/such")),
        default,
        Some(OsStr::new("/bin")),
    )
    .unwrap_err();
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
    let found = |names: &[&str]| find(None, &none, Some(&path(names))).unwrap();
    assert_eq!(found(&["a", "b"]), at("a/sh"));
    executable(&at("c/bash"));
    executable(&at("d/bash"));
    assert_eq!(found(&["a", "b", "c", "d"]), at("c/bash"));
    assert_eq!(
        find(None, &at("d/bash"), Some(&path(&["c"]))).unwrap(),
        at("d/bash")
    );
}

#[test]
fn without_any_shell_the_places_are_named() {
    let search = Some(OsStr::new("relative::/no/such"));
    let error = find(None, Path::new("/no/bash"), search).unwrap_err();
    assert_snapshot!(error, @r#"no shell found: there is no /no/bash, and neither bash nor sh on the search path "relative::/no/such"; install bash or set the path of a shell"#);
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
