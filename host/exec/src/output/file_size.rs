use std::fs;

/// The most bytes that this process may give a file, if that is limited (`ulimit -f`). A write
/// beyond is answered with SIGXFSZ, which ends a process that has not asked for otherwise,
/// setrlimit(2); the host must not end because its command writes much.
pub(super) fn limit() -> Option<u64> {
    parse(&fs::read_to_string("/proc/self/limits").ok()?)
}

/// The soft limit out of the form of proc(5).
fn parse(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max file size"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_number_and_unlimited_is_none() {
        let text = |soft: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max cpu time              10                   unlimited            seconds   \n\
                 Max file size             {soft:<20} unlimited            bytes     \n\
                 Max data size             20                   unlimited            bytes     \n"
            )
        };
        assert_eq!(parse(&text("8192")), Some(8192));
        assert_eq!(parse(&text("unlimited")), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn the_system_has_the_line() {
        let limits = fs::read_to_string("/proc/self/limits").unwrap();
        assert!(limits.contains("\nMax file size "), "{limits}");
    }
}
