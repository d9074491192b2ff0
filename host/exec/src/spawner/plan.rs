use std::ffi::{CStr, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use nix::sys::memfd::{MFdFlags, memfd_create};
use spawnhook_model::Env;

use crate::Rlimits;
use crate::sys::socket::MAX_BYTES;

/// The numbers at the start: arguments and four limits.
const HEADER: usize = 5 * size_of::<u64>();
/// Written for a limit that is not set.
const UNLIMITED: u64 = u64::MAX;
/// What fits the message of a request, with what else is in it.
const MAX_PACKED_BYTES: usize = MAX_BYTES - 64;

/// What is to be executed, as it goes from the host to a supervisor. Numbers come first, then the
/// program, its arguments and its variables, each with the NUL that the system wants at its end.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) rlimits: Rlimits,
    arguments: usize,
    bytes: Vec<u8>,
}

/// A plan on its way.
#[derive(Debug)]
pub(crate) enum Packed {
    /// In the message itself.
    Bytes(Vec<u8>),
    /// In a file in memory, since it is larger than a message may be.
    File(OwnedFd),
}

impl Plan {
    /// The texts must be free of NUL bytes.
    pub(crate) fn new(program: &Path, arguments: &[OsString], env: &Env, rlimits: Rlimits) -> Self {
        let arguments_and_name = arguments.len() + 1;
        let mut bytes = (arguments_and_name as u64).to_ne_bytes().to_vec();
        let Rlimits {
            cpu,
            memory,
            file_size,
            open_files,
        } = rlimits;
        for limit in [cpu, memory, file_size, open_files] {
            bytes.extend(limit.unwrap_or(UNLIMITED).to_ne_bytes());
        }
        push(&mut bytes, &[program.as_os_str()]);
        push(&mut bytes, &[program.as_os_str()]);
        for argument in arguments {
            push(&mut bytes, &[argument]);
        }
        for (name, value) in env.iter() {
            push(&mut bytes, &[name, OsStr::new("="), value]);
        }
        Self {
            rlimits,
            arguments: arguments_and_name,
            bytes,
        }
    }

    pub(crate) fn pack(self) -> io::Result<Packed> {
        if self.bytes.len() <= MAX_PACKED_BYTES {
            return Ok(Packed::Bytes(self.bytes));
        }
        let mut file = File::from(memfd_create(c"spawnhook-plan", MFdFlags::MFD_CLOEXEC)?);
        file.write_all(&self.bytes)?;
        Ok(Packed::File(file.into()))
    }

    pub(crate) fn unpack(packed: Packed) -> io::Result<Self> {
        let bytes = match packed {
            Packed::Bytes(bytes) => bytes,
            Packed::File(file) => {
                let mut file = File::from(file);
                let mut bytes = Vec::new();
                file.rewind()?;
                file.read_to_end(&mut bytes)?;
                bytes
            }
        };
        let header = bytes.get(..HEADER).ok_or(io::ErrorKind::InvalidData)?;
        let (numbers, _) = header.as_chunks();
        let mut numbers = numbers.iter().map(|bytes| u64::from_ne_bytes(*bytes));
        let mut number = || numbers.next().unwrap_or(UNLIMITED);
        let arguments = usize::try_from(number()).map_err(io::Error::other)?;
        let mut limit = || Some(number()).filter(|limit| *limit != UNLIMITED);
        let rlimits = Rlimits {
            cpu: limit(),
            memory: limit(),
            file_size: limit(),
            open_files: limit(),
        };
        Ok(Self {
            rlimits,
            arguments,
            bytes,
        })
    }

    /// Program, arguments (the name that the program is called by first), variables.
    pub(crate) fn parts(&self) -> io::Result<(&CStr, Vec<&CStr>, Vec<&CStr>)> {
        let texts = self.bytes[HEADER..].split_inclusive(|byte| *byte == 0);
        let texts: Result<Vec<&CStr>, _> = texts.map(CStr::from_bytes_with_nul).collect();
        let texts = texts.map_err(io::Error::other)?;
        match texts.split_first() {
            Some((program, rest)) if rest.len() >= self.arguments => {
                let (arguments, env) = rest.split_at(self.arguments);
                Ok((program, arguments.to_vec(), env.to_vec()))
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

fn push(bytes: &mut Vec<u8>, parts: &[&OsStr]) {
    for part in parts {
        bytes.extend(part.as_bytes());
    }
    bytes.push(0);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text() -> impl Strategy<Value = OsString> {
        use std::os::unix::ffi::OsStringExt;
        prop::collection::vec(1_u8..=255, 0..20).prop_map(OsString::from_vec)
    }

    fn limit() -> impl Strategy<Value = Option<u64>> {
        prop::option::of(0..UNLIMITED)
    }

    proptest! {
        #[test]
        fn a_plan_arrives_as_it_was_made(
            program in text(),
            arguments in prop::collection::vec(text(), 0..5),
            variables in prop::collection::btree_map("[A-Z]{1,5}", text(), 0..5),
            long in prop::sample::select(vec![0, MAX_BYTES]),
            (cpu, memory, file_size, open_files) in (limit(), limit(), limit(), limit()),
        ) {
            let rlimits = Rlimits { cpu, memory, file_size, open_files };
            let variables = variables.into_iter().chain([("long".to_owned(), "x".repeat(long).into())]);
            let variables: Vec<_> = variables.collect();
            let env = Env::from_iter(variables.clone());
            let plan = Plan::new(program.as_ref(), &arguments, &env, rlimits);
            let plan = Plan::unpack(plan.pack().unwrap()).unwrap();
            let (path, words, assignments) = plan.parts().unwrap();
            prop_assert_eq!(path.to_bytes(), program.as_bytes());
            let expected: Vec<&[u8]> = std::iter::once(&program).chain(&arguments).map(|word| word.as_bytes()).collect();
            let words: Vec<&[u8]> = words.into_iter().map(CStr::to_bytes).collect();
            prop_assert_eq!(words, expected);
            let expected: Vec<Vec<u8>> = variables.iter().map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat()).collect();
            let assignments: Vec<Vec<u8>> = assignments.into_iter().map(|text| text.to_bytes().to_vec()).collect();
            prop_assert_eq!(assignments, expected);
            prop_assert_eq!(plan.rlimits, rlimits);
        }
    }
}
