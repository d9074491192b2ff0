use std::time::Duration;

use arbitrary::{Result, Unstructured};

use crate::Leftovers;
use crate::lifecycle::trial::Trial;
use crate::lifecycle::{Exit, Input, Lifecycle, Timer};

/// A command to which anything happens in any order has one report at most, rests it on what
/// happened, and has one within the limits once it is cancelled.
pub fn lifecycle(bytes: &[u8]) {
    // Bytes that end early leave a shorter story.
    tell(&mut Unstructured::new(bytes)).ok();
}

fn tell(bytes: &mut Unstructured<'_>) -> Result<()> {
    let milliseconds = Duration::from_millis;
    let timeout = bytes.arbitrary::<Option<u16>>()?;
    let timeout = timeout.map(|timeout| milliseconds(u64::from(timeout) + 1));
    let grace = milliseconds(bytes.int_in_range(0..=1000)?);
    let leftovers = *bytes.choose(&[Leftovers::Session, Leftovers::Kill, Leftovers::Keep])?;
    let mut trial = Trial::new(Lifecycle::new(timeout, grace, leftovers));
    while !bytes.is_empty() {
        match input(bytes)? {
            Some(input) => trial.take(input),
            None => {
                trial.elapse();
            }
        }
    }
    trial.assert_reported_last();
    if trial.reports() == 0 {
        trial.cancel(grace);
        trial.assert_reported_last();
    }
    Ok(())
}

/// None for time that passes.
fn input(bytes: &mut Unstructured<'_>) -> Result<Option<Input>> {
    Ok(Some(match bytes.int_in_range(0..=11)? {
        0 => Input::Spawned,
        1 => Input::Cancel,
        2 => Input::LeaderExited(exit(bytes)?),
        3 => Input::LeaderExitedAlone(exit(bytes)?),
        4 => Input::Output,
        5 => Input::EndOfFile,
        6 => Input::TreeEmpty,
        7 => Input::TreeRemains,
        8 => Input::Left,
        9 => Input::Lost,
        10 => Input::Elapsed(*bytes.choose(&Timer::ALL)?),
        _ => return Ok(None),
    }))
}

fn exit(bytes: &mut Unstructured<'_>) -> Result<Exit> {
    let number = i32::from(bytes.arbitrary::<u8>()?);
    Ok(match bytes.arbitrary()? {
        true => Exit::Code(number),
        false => Exit::Signal(number % 64 + 1),
    })
}
