mod signature;
#[cfg(test)]
mod tests;

pub(crate) use self::signature::signature;

/// The package that hooks are built against.
pub(crate) const PACKAGE: &str = "spawnhook:hook";
/// The version of it that this host supports. Every `0.1` is compatible in both directions; what
/// a hook uses of it is compared function by function.
pub(crate) const VERSION: &str = "0.1.0";

/// WASI packages that are offered, with nothing behind them.
const WASI: [&str; 6] = ["cli", "clocks", "filesystem", "io", "random", "sockets"];

/// An interface of our package: the functions that it has and their types, as [`signature()`]
/// writes them. The files of the package are the contract; a test compares them with this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interface {
    pub(crate) name: &'static str,
    pub(crate) functions: &'static [(&'static str, &'static str)],
    /// Whether it is offered to hooks of stage audit alone.
    pub(crate) audit_only: bool,
}

/// What hooks can import.
pub(crate) const IMPORTS: [Interface; 4] = [
    Interface {
        name: "call",
        functions: &[
            ("id", "func() -> string"),
            ("origin", "func() -> string"),
            ("requested", "func() -> string"),
            ("prefix", "func() -> string"),
            ("workspace", "func() -> string"),
            ("env-names", "func() -> list<string>"),
            ("timeout-ms", "func() -> option<u64>"),
            ("started-ms", "func() -> u64"),
            ("session", "func(string) -> option<string>"),
        ],
        audit_only: false,
    },
    Interface {
        name: "log",
        functions: &[("write", "func(enum { debug, info, warn, error }, string)")],
        audit_only: false,
    },
    Interface {
        name: "exit",
        functions: &[
            ("duration-ms", "func() -> u64"),
            ("output-bytes", "func() -> option<u64>"),
            ("output-lines", "func() -> option<u64>"),
            ("truncated", "func() -> bool"),
            ("leftover-processes", "func() -> u32"),
        ],
        audit_only: true,
    },
    Interface {
        name: "audit-log",
        functions: &[("append", "func(string) -> result<_, string>")],
        audit_only: true,
    },
];

/// What hooks export: this, and whichever of the others they want.
pub(crate) const SPAWN_HOOK: Interface = Interface {
    name: "spawn-hook",
    functions: &[(
        "before-spawn",
        "func(record { command: string, cwd: string, env: list<tuple<string, string>> }) -> \
         result<record { command: string, cwd: string, env: list<tuple<string, string>> }, \
         variant { deny(string), ask(string) }>",
    )],
    audit_only: false,
};

pub(crate) const EXIT_HOOK: Interface = Interface {
    name: "exit-hook",
    functions: &[(
        "after-exit",
        "func(record { command: string, cwd: string, env: list<tuple<string, string>> }, \
         variant { exited(s32), signaled(s32), timed-out(option<s32>), cancelled(option<s32>), \
         denied(string), hook-failed(string), spawn-failed(string) }) -> result<_, string>",
    )],
    audit_only: true,
};

pub(crate) const SETTINGS: Interface = Interface {
    name: "settings",
    functions: &[("configure", "func(string) -> result<_, list<string>>")],
    audit_only: false,
};

impl Interface {
    /// The name that components use.
    pub(crate) fn id(&self) -> String {
        format!("{PACKAGE}/{}@{VERSION}", self.name)
    }
}

/// A name of an interface, taken apart: `package/interface@version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    pub(crate) package: &'a str,
    pub(crate) interface: &'a str,
    pub(crate) version: &'a str,
}

impl<'a> Name<'a> {
    /// None for what is no name of an interface, such as that of a bare function.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (package, rest) = text.split_once('/')?;
        let (interface, version) = rest.split_once('@').unwrap_or((rest, ""));
        Some(Self {
            package,
            interface,
            version,
        })
    }

    /// Whether it belongs to our package in a version that this host supports.
    pub(crate) fn is_supported(&self) -> bool {
        self.package == PACKAGE && in_track(self.version, "0.1.")
    }

    /// Whether it belongs to a WASI package that is offered with nothing behind it.
    pub(crate) fn is_wasi(&self) -> bool {
        self.package
            .strip_prefix("wasi:")
            .is_some_and(|package| WASI.contains(&package))
            && in_track(self.version, "0.2.")
    }
}

/// Whether a version differs from others of its track in the last number alone.
fn in_track(version: &str, track: &str) -> bool {
    version
        .strip_prefix(track)
        .is_some_and(|patch| !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit()))
}
