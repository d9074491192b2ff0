use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;

use tempfile::TempDir;

use super::entry::file;
use super::*;

/// A component, an engine, and a directory with the entry of the one for the other.
struct Kept {
    folder: TempDir,
    engine: Engine,
    sha256: [u8; 32],
}

impl Kept {
    fn new() -> Self {
        let kept = Self {
            folder: tempfile::tempdir().unwrap(),
            engine: Engine::default(),
            sha256: [7; 32],
        };
        let cache = kept.open();
        cache.store(&kept.engine, &kept.sha256, &kept.compiled());
        assert_eq!(cache.take_notices(), [""; 0]);
        kept
    }

    fn compiled(&self) -> Component {
        let text = "(component (core module (func (result i32) i32.const 7)))";
        Component::from_binary(&self.engine, &wat::parse_str(text).unwrap()).unwrap()
    }

    fn directory(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn entry(&self) -> PathBuf {
        let name = Keys::new(&self.engine).key(&self.sha256).name();
        self.directory().join(name)
    }

    fn open(&self) -> CodeCache {
        CodeCache::open(&self.directory(), KeptCode::Copied)
    }

    fn loads(&self) -> bool {
        let loaded = [KeptCode::Copied, KeptCode::Mapped].map(|kept_code| {
            let cache = CodeCache::open(&self.directory(), kept_code);
            let loaded = cache.load(&self.engine, &self.sha256).is_some();
            assert_eq!(cache.take_notices(), [""; 0]);
            loaded
        });
        assert_eq!(loaded[0], loaded[1]);
        loaded[0]
    }

    /// Nothing is loaded, however often it is tried, and one notice says why.
    #[track_caller]
    fn is_refused_for(&self, reason: &str) {
        for kept_code in [KeptCode::Copied, KeptCode::Mapped] {
            let cache = CodeCache::open(&self.directory(), kept_code);
            for _ in 0..2 {
                assert!(cache.load(&self.engine, &self.sha256).is_none());
            }
            let notices = cache.take_notices();
            assert_eq!(notices.len(), 1, "{notices:?}");
            assert!(notices[0].contains(reason), "{notices:?}");
            assert_eq!(cache.take_notices(), [""; 0]);
        }
    }

    /// As [`Self::is_refused_for`], and what is compiled anew takes the place of the entry.
    #[track_caller]
    fn is_refused_and_mended(&self, reason: &str) {
        self.is_refused_for(reason);
        self.open()
            .store(&self.engine, &self.sha256, &self.compiled());
        assert!(self.loads());
    }
}

#[test]
fn what_was_kept_is_loaded() {
    assert!(Kept::new().loads());
}

#[test]
fn what_was_never_kept_is_no_news() {
    let kept = Kept::new();
    fs::remove_file(kept.entry()).unwrap();
    assert!(!kept.loads());
    fs::remove_dir(kept.directory()).unwrap();
    assert!(!kept.loads());
}

#[test]
fn directory_and_entries_are_the_user_s_alone() {
    let kept = Kept::new();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(kept.directory()), 0o700);
    assert_eq!(mode(kept.entry()), 0o600);
}

#[test]
fn a_change_in_any_part_of_an_entry_is_found() {
    let kept = Kept::new();
    let whole = fs::read(kept.entry()).unwrap();
    let end = whole.len();
    for (at, reason) in [
        (0, "checksum does not fit"),
        (end / 2, "checksum does not fit"),
        (end - 65, "checksum does not fit"),
        (end - 64, "end as an entry"),
        (end - 49, "end as an entry"),
        (end - 48, "another component"),
        (end - 17, "another component"),
        (end - 16, "checksum does not fit"),
        (end - 1, "checksum does not fit"),
    ] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(kept.entry(), changed).unwrap();
        kept.is_refused_and_mended(reason);
    }
}

#[test]
fn an_entry_that_is_cut_off_anywhere_is_found() {
    let kept = Kept::new();
    let whole = fs::read(kept.entry()).unwrap();
    for (length, reason) in [
        (0, "it is cut off"),
        (63, "it is cut off"),
        (64, "end as an entry"),
        (whole.len() - 1, "end as an entry"),
    ] {
        fs::write(kept.entry(), &whole[..length]).unwrap();
        kept.is_refused_and_mended(reason);
    }
    fs::write(kept.entry(), [&whole[..], b"\0"].concat()).unwrap();
    kept.is_refused_and_mended("end as an entry");
}

#[test]
fn an_entry_of_another_component_or_version_is_not_taken_for_this_one() {
    let kept = Kept::new();
    let others = [
        Keys::new(&kept.engine).key(&[8; 32]),
        Keys::of_format(0, &kept.engine).key(&kept.sha256),
        {
            let mut config = wasmtime::Config::new();
            config.cranelift_opt_level(wasmtime::OptLevel::None);
            Keys::new(&Engine::new(&config).unwrap()).key(&kept.sha256)
        },
    ];
    let code = kept.compiled().serialize().unwrap();
    for other in others {
        assert_ne!(kept.directory().join(other.name()), kept.entry());
        fs::write(kept.entry(), file(&other, &code)).unwrap();
        kept.is_refused_and_mended("another component or version");
    }
}

#[test]
fn code_that_the_engine_does_not_know_is_compiled_anew() {
    let kept = Kept::new();
    let key = Keys::new(&kept.engine).key(&kept.sha256);
    fs::write(kept.entry(), file(&key, b"no code")).unwrap();
    kept.is_refused_and_mended("is not used");
}

#[test]
fn what_others_can_write_to_is_not_used() {
    let kept = Kept::new();
    let set = |path: PathBuf, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for mode in [0o620, 0o602, 0o666] {
        set(kept.entry(), mode);
        kept.is_refused_and_mended("chmod go-w");
    }
    for mode in [0o770, 0o702] {
        set(kept.directory(), mode);
        kept.is_refused_for("chmod go-w");
        set(kept.directory(), 0o700);
        set(kept.folder.path().to_owned(), mode);
        kept.is_refused_for("chmod go-w");
        set(kept.folder.path().to_owned(), 0o700);
    }
    // Nobody takes away what is another's under a directory such as /tmp.
    set(kept.folder.path().to_owned(), 0o1777);
    assert!(kept.loads());
}

/// Only root can give a file away; others have nothing to try this with.
#[test]
fn what_belongs_to_somebody_else_is_not_used() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let kept = Kept::new();
    std::os::unix::fs::chown(kept.entry(), Some(65_534), None).unwrap();
    kept.is_refused_and_mended("belongs to user 65534, not to 0");
    std::os::unix::fs::chown(kept.directory(), Some(65_534), None).unwrap();
    kept.is_refused_for("belongs to user 65534, not to 0");
}

#[test]
fn links_and_other_kinds_of_files_are_not_followed() {
    let kept = Kept::new();
    let elsewhere = kept.folder.path().join("elsewhere");
    fs::rename(kept.entry(), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, kept.entry()).unwrap();
    kept.is_refused_and_mended("is a symbolic link");
    fs::remove_file(kept.entry()).unwrap();
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(
        rustix::fs::CWD,
        kept.entry(),
        rustix::fs::FileType::Fifo,
        mode,
        0,
    )
    .unwrap();
    kept.is_refused_and_mended("not a regular file");

    let moved = kept.folder.path().join("moved");
    fs::rename(kept.directory(), &moved).unwrap();
    std::os::unix::fs::symlink(&moved, kept.directory()).unwrap();
    kept.is_refused_for("is a symbolic link");
    fs::remove_file(kept.directory()).unwrap();
    fs::write(kept.directory(), "").unwrap();
    kept.is_refused_for("not a directory");
}

#[test]
fn writers_side_by_side_leave_a_whole_entry_at_every_moment() {
    let kept = Kept::new();
    let component = kept.compiled();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..50 {
                    kept.open().store(&kept.engine, &kept.sha256, &component);
                }
            });
        }
        for _ in 0..200 {
            assert!(kept.loads());
        }
    });
    assert_eq!(fs::read_dir(kept.directory()).unwrap().count(), 1);
}

#[test]
fn a_mark_is_trusted_as_an_entry_is() {
    let kept = Kept::new();
    let name = [9; 32];
    assert!(!kept.open().has_mark(&kept.engine, &name));
    kept.open().mark(&kept.engine, &name);
    assert!(kept.open().has_mark(&kept.engine, &name));
    assert!(!kept.open().has_mark(&kept.engine, &[8; 32]));
    let file = kept
        .directory()
        .join(Keys::new(&kept.engine).key(&name).mark_name());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o620)).unwrap();
    let cache = kept.open();
    assert!(!cache.has_mark(&kept.engine, &name));
    assert_eq!(cache.take_notices().len(), 1);
    assert!(!CodeCache::default().has_mark(&kept.engine, &name));
}
