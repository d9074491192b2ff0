use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use bytesize::ByteSize;
use jiff::{SignedDuration, Span, SpanRelativeTo};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use spawnhook_exec::Leftovers;
use spawnhook_hooks::OnFailure;
use spawnhook_model::{Stage, Timeout};

use super::{CwdPolicy, Durability, Profile};

/// A value that a config writes as text, or as an integer where it says so.
pub(crate) trait Written: Sized {
    /// What is expected, as it stands after "expected" in a message.
    const EXPECTED: &'static str;

    fn from_text(_text: &str) -> Option<Self> {
        None
    }

    fn from_integer(_integer: u64) -> Option<Self> {
        None
    }
}

/// Decodes what is [`Written`].
#[derive(Clone, Debug)]
pub(crate) struct Parsed<T>(pub(crate) T);

impl<'de, T: Written> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(WrittenVisitor(PhantomData))
            .map(Self)
    }
}

struct WrittenVisitor<T>(PhantomData<T>);

impl<T: Written> Visitor<'_> for WrittenVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_i64<E: Error>(self, integer: i64) -> Result<T, E> {
        u64::try_from(integer)
            .ok()
            .and_then(T::from_integer)
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(integer), &self))
    }
}

impl Written for Duration {
    const EXPECTED: &'static str = r#"a duration such as "250ms" or "1m 30s""#;

    fn from_text(text: &str) -> Option<Self> {
        let in_hours = || text.parse::<SignedDuration>();
        // Of days and weeks the other knows, and a config means 24 hours by a day.
        let in_days = |_| {
            text.parse::<Span>()?
                .to_duration(SpanRelativeTo::days_are_24_hours())
        };
        in_hours().or_else(in_days).ok()?.try_into().ok()
    }
}

/// A duration in the form that [`Written`] reads.
pub(super) fn duration_text(duration: Duration) -> String {
    let signed = SignedDuration::try_from(duration)
        .expect("invariant: every duration of a config was read from a signed one");
    format!("{signed:#}")
}

/// A value that is not zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positive<T>(pub(crate) T);

impl Written for Positive<Duration> {
    const EXPECTED: &'static str = r#"a duration above zero such as "250ms" or "1m 30s""#;

    fn from_text(text: &str) -> Option<Self> {
        Duration::from_text(text)
            .filter(|duration| !duration.is_zero())
            .map(Self)
    }
}

impl Written for Positive<Size> {
    const EXPECTED: &'static str = r#"a number of bytes above zero such as 65536 or "64MiB""#;

    fn from_text(text: &str) -> Option<Self> {
        Size::from_text(text).filter(|size| size.0 > 0).map(Self)
    }

    fn from_integer(integer: u64) -> Option<Self> {
        (integer > 0).then_some(Self(Size(integer)))
    }
}

impl Written for Timeout {
    const EXPECTED: &'static str =
        r#"a duration above zero and at most 2147483.647 s, such as "120s" or "1h 30m""#;

    fn from_text(text: &str) -> Option<Self> {
        Self::from_seconds(Duration::from_text(text)?.as_secs_f64()).ok()
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub(crate) u64);

impl Written for Size {
    const EXPECTED: &'static str = r#"a number of bytes such as 65536 or "64MiB""#;

    fn from_text(text: &str) -> Option<Self> {
        // The bounds of an integer in TOML, so that what is shown can be read again.
        let bytes = text.parse::<ByteSize>().ok()?.as_u64();
        i64::try_from(bytes).ok().map(|_| Self(bytes))
    }

    fn from_integer(integer: u64) -> Option<Self> {
        Some(Self(integer))
    }
}

/// A size in the form that [`Written`] reads: in the largest binary unit that divides it.
pub(super) fn size_text(bytes: u64) -> String {
    let (unit, name) = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .into_iter()
        .find(|(power, _)| bytes != 0 && bytes.trailing_zeros() >= *power)
        .unwrap_or((0, "B"));
    format!("{}{name}", bytes >> unit)
}

/// A number of things, at least one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(pub(super) usize);

impl Written for Count {
    const EXPECTED: &'static str = "an integer above zero";

    fn from_integer(integer: u64) -> Option<Self> {
        usize::try_from(integer)
            .ok()
            .filter(|count| *count > 0)
            .map(Self)
    }
}

/// A pattern for the names of variables.
#[derive(Clone, Debug)]
pub(crate) struct Glob(pub(crate) String);

impl Written for Glob {
    const EXPECTED: &'static str =
        "the name of a variable, in which `*` stands for any characters and `?` for one";

    fn from_text(text: &str) -> Option<Self> {
        let fits = |byte: u8| byte.is_ascii_graphic() && !b"=[]{}\\".contains(&byte);
        (!text.is_empty() && text.bytes().all(fits)).then(|| Self(text.to_owned()))
    }
}

/// A pattern for the origins of commands.
#[derive(Clone, Debug)]
pub(super) struct OriginGlob(pub(super) String);

impl Written for OriginGlob {
    const EXPECTED: &'static str =
        "`cli`, `rpc`, `mcp`, `shell` or `agent:NAME`, in whose name `*` stands for any characters";

    fn from_text(text: &str) -> Option<Self> {
        let agent = text.strip_prefix("agent:").is_some_and(|name| {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-*?".contains(&byte);
            !name.is_empty() && name.bytes().all(fits)
        });
        (agent || ["cli", "rpc", "mcp", "shell"].contains(&text)).then(|| Self(text.to_owned()))
    }
}

/// A SHA-256 in lower case.
#[derive(Clone, Debug)]
pub(super) struct Digest(pub(super) String);

impl Written for Digest {
    const EXPECTED: &'static str = "the 64 hex digits of a SHA-256";

    fn from_text(text: &str) -> Option<Self> {
        (text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .then(|| Self(text.to_ascii_lowercase()))
    }
}

/// A value with a fixed set of names.
pub(super) trait Choice: Copy + PartialEq + 'static {
    const NAMES: &'static [(&'static str, Self)];

    /// The name of this value.
    fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, value)| *value == self)
            .map(|(name, _)| *name)
            .expect("invariant: every value of a choice has a name")
    }

    fn from_name(name: &str) -> Option<Self> {
        let (_, value) = Self::NAMES.iter().find(|(known, _)| *known == name)?;
        Some(*value)
    }
}

/// Gives a type its names, and has it [`Written`] as one of them.
macro_rules! choice {
    ($type:ty, $expected:literal, $($name:literal => $value:ident),+) => {
        impl Choice for $type {
            const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$value)),+];
        }

        impl Written for $type {
            const EXPECTED: &'static str = $expected;

            fn from_text(text: &str) -> Option<Self> {
                Self::from_name(text)
            }
        }
    };
}

choice!(Leftovers, "`kill`, `session` or `keep`", "kill" => Kill, "session" => Session, "keep" => Keep);
choice!(CwdPolicy, "`request` or `fixed`", "request" => Request, "fixed" => Fixed);
choice!(Durability, "`write`, `fsync` or `none`", "write" => Write, "fsync" => Fsync, "none" => None);
choice!(Stage, "`rewrite`, `guard` or `audit`", "rewrite" => Rewrite, "guard" => Guard, "audit" => Audit);
choice!(OnFailure, "`deny` or `skip`", "deny" => Deny, "skip" => Skip);
choice!(Profile, "`native` or `interpreted`", "native" => Native, "interpreted" => Interpreted);
