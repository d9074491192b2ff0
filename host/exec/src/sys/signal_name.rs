use nix::sys::signal::Signal;

/// The name of a signal of this system, as in `SIGKILL`; none for numbers without one, real-time
/// signals among them.
pub fn signal_name(number: i32) -> Option<&'static str> {
    Signal::try_from(number).ok().map(Signal::as_str)
}
