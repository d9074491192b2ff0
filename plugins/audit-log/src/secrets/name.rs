//! Which names are names of secrets.

/// How the last part of a secret's name is written, without `_`, `-` and `.`.
const ENDINGS: [&str; 14] = [
    "accesskey",
    "apikey",
    "authkey",
    "credential",
    "credentials",
    "encryptionkey",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "secretkey",
    "token",
];

/// How many bytes of a name count.
const NAME_BYTES: usize = 64;

/// Whether what has this name is a secret: `--db-password`, `AWS_SECRET_ACCESS_KEY`, `apiKey`.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let squeezed: String = name.chars().filter(|char| !"_-.".contains(*char)).collect();
    if ENDINGS.iter().any(|ending| squeezed.ends_with(ending)) {
        return true;
    }
    // `bypass` is no secret, and `PWD` is where the shell is
    match name.rsplit_once(['_', '-', '.']) {
        Some((before, last)) => matches!(last, "pass" | "pwd") && before != "old",
        None => name == "pass",
    }
}

/// Whether what has this name is the header that carries credentials.
pub(super) fn is_authorization(name: &str) -> bool {
    let ending = name.len().checked_sub("authorization".len());
    ending
        .and_then(|start| name.get(start..))
        .is_some_and(|ending| ending.eq_ignore_ascii_case("authorization"))
}

/// The name at the end of `text`; may be empty.
pub(super) fn at_end(text: &str) -> &str {
    let length = text
        .bytes()
        .rev()
        .take(NAME_BYTES)
        .take_while(|byte| is_part(*byte))
        .count();
    &text[text.len() - length..]
}

/// The name at the start of `text`; may be empty.
pub(super) fn at_start(text: &str) -> &str {
    let length = text
        .bytes()
        .take(NAME_BYTES)
        .take_while(|byte| is_part(*byte))
        .count();
    &text[..length]
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}
