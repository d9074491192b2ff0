use spawnhook_model::{Failure, Stage};

/// Why a hook was not admitted.
#[derive(Debug, thiserror::Error)]
#[error("hook `{hook}` ({origin}): {fault}")]
pub struct HookLoadError {
    /// The name of the hook.
    pub hook: String,
    /// Where its component comes from.
    pub origin: String,
    /// What is wrong.
    pub fault: LoadFault,
}

/// What is wrong with a hook that was not admitted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadFault {
    /// The file is larger than its limit.
    #[error(
        "the component has {bytes} bytes; the limit is {limit}: build it for size, or, if it \
         carries an interpreter, set limits.profile = \"interpreted\""
    )]
    TooLarge {
        /// The size of the file.
        bytes: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The pinned digest is none.
    #[error("sha256 = \"{0}\" is not a SHA-256: write its 64 hex digits")]
    InvalidDigest(String),
    /// The file is not the one that was pinned.
    #[error(
        "the component has the SHA-256 {found}, but {pinned} is pinned: restore the file, or pin \
         the new one if the change is meant"
    )]
    WrongDigest {
        /// The digest that the deployment wants.
        pinned: String,
        /// The digest of the file.
        found: String,
    },
    /// The file is a core module.
    #[error(
        "this is a core module, not a component: build it for the target wasm32-wasip2, or wrap \
         it with `wasm-tools component new`"
    )]
    CoreModule,
    /// The file is something else.
    #[error(
        "this is not WebAssembly: it starts with \"{starts_with}\", where a component has \
         \"\\0asm\""
    )]
    NotWasm {
        /// The first bytes, readable.
        starts_with: String,
    },
    /// The file is machine code, which nobody could check.
    #[error(
        "this is a precompiled artifact, which could do anything: give the component that it was \
         made from"
    )]
    Precompiled,
    /// The file is broken, or uses a proposal that is switched off.
    #[error("the component is not valid: {0}")]
    Invalid(String),
    /// The component could not be compiled within the limits for that.
    #[error("the component cannot be compiled: {0}")]
    Compile(String),
    /// The component has more parts than any toolchain makes.
    #[error("the component has {count} {part}; the limit is {limit}")]
    TooManyParts {
        /// What there is too much of.
        part: &'static str,
        /// How many there are.
        count: u64,
        /// How many may be.
        limit: u64,
    },
    /// The component imports what its stage is not offered: one text for each import.
    #[error("imports that are not offered: {}", .0.join("; "))]
    Imports(Vec<String>),
    /// The component does not export what a hook exports.
    #[error("{0}")]
    Exports(String),
    /// Rights that cannot be granted: one text for each.
    #[error("rights that cannot be granted: {}", .0.join("; "))]
    Rights(Vec<String>),
    /// A hook of this stage must not depend on how a command is worded.
    #[error(
        "when.command is for stage rewrite: a hook of stage {0} that a wording can switch off is \
         none; remove it, or let the hook itself look at the command"
    )]
    When(Stage),
    /// An instance could not be started.
    #[error("the component could not be started: {0}")]
    Start(Failure),
    /// Reading the settings failed.
    #[error("the hook could not read its settings: {0}")]
    Configure(Failure),
    /// The hook has problems with its settings: one text for each.
    #[error("the hook does not accept its settings: {}", .0.join("; "))]
    Settings(Vec<String>),
    /// The settings are no JSON object.
    #[error("the settings are not the text of a JSON object: {0}")]
    SettingsNotAnObject(String),
    /// The hook takes no settings.
    #[error(
        "the hook has settings ({}), but it exports no {interface} to take them: remove them",
        .keys.join(", ")
    )]
    SettingsUnused {
        /// The keys of the settings.
        keys: Vec<String>,
        /// The interface that takes settings.
        interface: String,
    },
}

impl LoadFault {
    /// One word for the kind of fault, as tests and reports use it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too-large",
            Self::InvalidDigest(_) => "invalid-digest",
            Self::WrongDigest { .. } => "wrong-digest",
            Self::CoreModule => "core-module",
            Self::NotWasm { .. } => "not-wasm",
            Self::Precompiled => "precompiled",
            Self::Invalid(_) => "invalid",
            Self::Compile(_) => "compile",
            Self::TooManyParts { .. } => "too-many-parts",
            Self::Imports(_) => "imports",
            Self::Exports(_) => "exports",
            Self::Rights(_) => "rights",
            Self::When(_) => "when",
            Self::Start(_) => "start",
            Self::Configure(_) => "configure",
            Self::Settings(_) => "settings",
            Self::SettingsNotAnObject(_) => "settings-not-an-object",
            Self::SettingsUnused { .. } => "settings-unused",
        }
    }
}
