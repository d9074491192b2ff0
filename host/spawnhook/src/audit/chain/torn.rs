use serde::de::IgnoredAny;

/// Whether a line may be the beginning of record `number`, whose writer died. A power cut may have
/// left NUL in place of the rest.
pub(super) fn is_torn(text: &[u8], number: u64) -> bool {
    let end = text
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |last| last + 1);
    let written = &text[..end];
    let whole = match std::str::from_utf8(written) {
        Ok(whole) => whole,
        Err(error) if error.error_len().is_some() => return false,
        Err(error) => std::str::from_utf8(&written[..error.valid_up_to()])
            .expect("invariant: it is valid up to there"),
    };
    let start = format!("{{\"seq\":{number},\"time\":\"");
    let starts = whole.starts_with(&start) || start.starts_with(whole);
    let ends_early =
        || serde_json::from_str::<IgnoredAny>(whole).is_err_and(|error| error.is_eof());
    !text.is_empty() && starts && ends_early()
}
