use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use spawnhook_model::{FailureClass, HookResult, Refusal, Stage};

use super::guests::{ENGINE, block_on, call, component, spawn, with_code};
use crate::answer::{Answer, Returned, Shown, judge};
use crate::rights::Grants;
use crate::{Chain, HookSpec, OnFailure, Rights};

/// Decodes its command, two letters a byte, to the start of its memory, and returns the address
/// that it finds there.
const PUPPET: &str = "
      (local $at i32)
      (loop $next
        (if (i32.lt_u (i32.shl (local.get $at) (i32.const 1)) (local.get $command-length))
          (then
            (i32.store8 (local.get $at) (i32.or
              (i32.shl (i32.sub (i32.load8_u (i32.add (local.get $command)
                (i32.shl (local.get $at) (i32.const 1)))) (i32.const 97)) (i32.const 4))
              (i32.sub (i32.load8_u offset=1 (i32.add (local.get $command)
                (i32.shl (local.get $at) (i32.const 1)))) (i32.const 97))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $next))))
      (i32.load (i32.const 0))";

/// What the guest can hand out begins here; what lies there is not known.
const KNOWN: usize = 131_072;

/// The memory of the guest.
const MEMORY: usize = 4 * 65_536;

static CHAIN: LazyLock<Chain> = LazyLock::new(|| {
    let spec = HookSpec {
        rights: rights(),
        on_failure: OnFailure::Skip,
        ..HookSpec::new("puppet", Stage::Rewrite, component(&with_code(PUPPET)))
    };
    let hook = ENGINE.load(spec).expect("the guest is a hook");
    Chain::new(vec![hook]).expect("one name comes once")
});

fn rights() -> Rights {
    Rights {
        see_env: vec!["A".to_owned()],
        set_env: vec!["*".to_owned()],
        command: true,
        ..Rights::default()
    }
}

/// Whatever a guest has in its memory where its result should be: it is read as simpler code reads
/// it, or is a failure of the guest.
pub fn returned(bytes: &[u8]) {
    let image = match image(&mut Unstructured::new(bytes)) {
        Ok(image) => image,
        Err(_) => bytes.to_vec(),
    };
    let image = &image[..image.len().min(4096)];
    let letters = image.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let command: String = letters.map(|half| char::from(b'a' + half)).collect();
    let spawn = spawn(&command);
    let decision = block_on(CHAIN.decide(&call(), spawn.clone()));
    let result = &decision.reports[0].result;
    if let HookResult::Skipped(failure) = result {
        assert_ne!(failure.class, FailureClass::Host, "{failure}");
        assert!(!failure.message.contains(char::is_control), "{failure}");
    }
    let read = match read(image) {
        Read::Value(value) => value,
        Read::None => return assert!(matches!(result, HookResult::Skipped(_)), "{result:?}"),
        Read::Unknown => return,
    };
    let grants = Grants::new(&rights(), Stage::Rewrite).expect("the stage can use them");
    let shown = Shown::new(&spawn, &grants).expect("the working directory is UTF-8");
    match judge(Stage::Rewrite, &grants, &spawn, &shown, read) {
        Ok(Answer::Unchanged) => assert_eq!(*result, HookResult::Unchanged),
        Ok(Answer::Changed(changed, _)) => assert_eq!(*changed, decision.spawn),
        Ok(Answer::Refused(Refusal::Deny(reason))) => {
            assert_eq!(*result, HookResult::Denied(reason));
        }
        Ok(Answer::Refused(Refusal::Ask(_))) => panic!("a rewrite hook may not ask"),
        Err(failure) => {
            let HookResult::Skipped(found) = result else {
                panic!("{result:?}, but {failure}");
            };
            assert_eq!(found.class, failure.class);
        }
    }
}

/// A result as a compiler would lay it out, with some bytes changed.
fn image(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut image = vec![0; 32];
    let result = 4_u32;
    image[..4].copy_from_slice(&result.to_le_bytes());
    let refuses: bool = bytes.arbitrary()?;
    image[4] = refuses.into();
    if refuses {
        image[8] = bytes.int_in_range(0..=2)?;
        put_text(bytes, &mut image, 12)?;
    } else {
        put_text(bytes, &mut image, 8)?;
        put_text(bytes, &mut image, 16)?;
        put_list(bytes, &mut image, 24)?;
    }
    for _ in 0..bytes.int_in_range(0..=3)? {
        let at = bytes.choose_index(image.len())?;
        image[at] = bytes.arbitrary()?;
    }
    Ok(image)
}

fn put_text(bytes: &mut Unstructured<'_>, image: &mut Vec<u8>, at: usize) -> Result<()> {
    let text: &[u8] = bytes.arbitrary()?;
    let start = image.len();
    put(image, at, start, text.len());
    image.extend_from_slice(text);
    Ok(())
}

fn put_list(bytes: &mut Unstructured<'_>, image: &mut Vec<u8>, at: usize) -> Result<()> {
    image.resize(image.len().next_multiple_of(4), 0);
    let length = bytes.int_in_range(0..=4)?;
    let start = image.len();
    put(image, at, start, length);
    image.resize(start + 16 * length, 0);
    for element in 0..length {
        put_text(bytes, image, start + 16 * element)?;
        put_text(bytes, image, start + 16 * element + 8)?;
    }
    Ok(())
}

fn put(image: &mut [u8], at: usize, address: usize, length: usize) {
    let word = |number: usize| {
        u32::try_from(number)
            .expect("an image is small")
            .to_le_bytes()
    };
    image[at..at + 4].copy_from_slice(&word(address));
    image[at + 4..at + 8].copy_from_slice(&word(length));
}

/// What a guest's memory says.
enum Read {
    Value(std::result::Result<Returned, Refusal>),
    /// No value of the interface.
    None,
    /// It depends on what the guest was given, or on how carefully nothing is read.
    Unknown,
}

/// Why a value could not be read.
enum Fault {
    None,
    Unknown,
}

fn read(image: &[u8]) -> Read {
    let mut memory = image.to_vec();
    memory.resize(KNOWN, 0);
    match read_result(&memory) {
        Ok(value) => Read::Value(value),
        Err(Fault::None) => Read::None,
        Err(Fault::Unknown) => Read::Unknown,
    }
}

type FromMemory<T> = std::result::Result<T, Fault>;

fn read_result(memory: &[u8]) -> FromMemory<std::result::Result<Returned, Refusal>> {
    let at = word(memory, 0)?;
    aligned(at)?;
    let area = region(memory, at, 28)?;
    match (area[0], area[4]) {
        (0, _) => Ok(Ok(Returned {
            command: text(memory, at + 4)?,
            cwd: text(memory, at + 12)?,
            env: list(memory, at + 20)?,
        })),
        (1, 0) => Ok(Err(Refusal::Deny(text(memory, at + 8)?))),
        (1, 1) => Ok(Err(Refusal::Ask(text(memory, at + 8)?))),
        _ => Err(Fault::None),
    }
}

fn list(memory: &[u8], at: usize) -> FromMemory<Vec<(String, String)>> {
    let (start, length) = (word(memory, at)?, word(memory, at + 4)?);
    if length == 0 {
        return empty(start).map(|()| Vec::new());
    }
    aligned(start)?;
    region(memory, start, length.saturating_mul(16))?;
    // So many texts may be over the limit of data, whatever they are.
    if length > 100 {
        return Err(Fault::Unknown);
    }
    let elements = (0..length).map(|index| start + 16 * index);
    elements
        .map(|at| Ok((text(memory, at)?, text(memory, at + 8)?)))
        .collect()
}

fn text(memory: &[u8], at: usize) -> FromMemory<String> {
    let (start, length) = (word(memory, at)?, word(memory, at + 4)?);
    if length == 0 {
        return empty(start).map(|()| String::new());
    }
    let bytes = region(memory, start, length)?;
    String::from_utf8(bytes.to_vec()).map_err(|_| Fault::None)
}

fn empty(start: usize) -> FromMemory<()> {
    if start <= KNOWN && start.is_multiple_of(4) {
        Ok(())
    } else {
        Err(Fault::Unknown)
    }
}

fn aligned(at: usize) -> FromMemory<()> {
    at.is_multiple_of(4).then_some(()).ok_or(Fault::None)
}

fn word(memory: &[u8], at: usize) -> FromMemory<usize> {
    let bytes = region(memory, at, 4)?
        .try_into()
        .expect("invariant: four bytes were asked for");
    Ok(u32::from_le_bytes(bytes) as usize)
}

fn region(memory: &[u8], at: usize, length: usize) -> FromMemory<&[u8]> {
    let end = at.saturating_add(length);
    match memory.get(at..end) {
        Some(region) => Ok(region),
        None if end > MEMORY => Err(Fault::None),
        None => Err(Fault::Unknown),
    }
}
