use std::io;

use rustix::rand::{GetRandomFlags, getrandom};

/// A number that nobody can guess, for names and ids. It comes from the system call: a program that
/// is linked statically would look for a device file otherwise, which a sandbox need not have.
///
/// # Errors
///
/// If the system has no such call, which Linux has had since 3.17.
pub fn random_u64() -> io::Result<u64> {
    let mut bytes = [0; size_of::<u64>()];
    getrandom(&mut bytes, GetRandomFlags::empty())?;
    Ok(u64::from_ne_bytes(bytes))
}
