use std::fs;
use std::io::{Seek as _, Write as _};
use std::os::fd::AsRawFd as _;

use super::*;

#[test]
fn an_entry_is_verified_byte_by_byte() {
    let key = Keys::new(&Engine::default()).key(&[1; 32]);
    let whole = file(&key, b"code");
    let read = |content: &[u8], kept_code| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file.rewind().unwrap();
        Entry::read(file, &key, kept_code)
    };
    let Entry::Sealed(code) = read(&whole, KeptCode::Copied).unwrap() else {
        panic!("there is a file in memory");
    };
    let path = format!("/proc/self/fd/{}", code.file().as_raw_fd());
    assert_eq!(fs::read(&path).unwrap(), b"code");
    assert!(fs::write(&path, "other").is_err());
    for kept_code in [KeptCode::Copied, KeptCode::Mapped] {
        assert!(read(&whole, kept_code).is_ok());
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                let refused = read(&changed, kept_code).is_err();
                assert!(refused, "bit {bit} of byte {at}");
            }
            let Err(Unread::Damage(damage)) = read(&whole[..at], kept_code) else {
                panic!("{at} bytes");
            };
            let is_short = matches!(damage, Damage::Short);
            assert_eq!(is_short, at < TRAILER, "{at} bytes");
        }
    }
}
