mod hooks;

use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use spawnhook_exec::{Leftovers, Rlimits};
use spawnhook_model::{OutputLimits, Timeout};

use self::hooks::{bound, hooks};
use crate::config::{Audit, Config, CwdPolicy, Durability, Limits, Provenance, Shell, Workspace};
use crate::env_policy::{EnvPolicy, Inherit, SessionVariables};

fn text() -> impl Strategy<Value = String> {
    "[^\0]{0,12}"
}

fn globs() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[A-Z_*?]{1,8}", 0..3)
}

fn duration() -> impl Strategy<Value = Duration> {
    (0..1_000_000_u64, 0..1_000_000_000_u32)
        .prop_map(|(seconds, nanos)| Duration::new(seconds, nanos))
}

fn timeout() -> impl Strategy<Value = Timeout> {
    duration().prop_map(|duration| {
        let duration = duration.max(Duration::from_nanos(1));
        Timeout::from_seconds(duration.as_secs_f64()).unwrap()
    })
}

fn path() -> impl Strategy<Value = PathBuf> {
    "[a-z \"#'é]{1,8}".prop_map(|name| PathBuf::from("/").join(name))
}

fn size() -> impl Strategy<Value = u64> {
    prop_oneof![
        1..=4096_u64,
        (1..=100_u64).prop_map(|n| n << 20),
        0..=u64::MAX / 2
    ]
}

fn limits() -> impl Strategy<Value = Limits> {
    (
        timeout(),
        timeout(),
        1..9999_usize,
        1..=usize::MAX / 2,
        size(),
        duration(),
        prop::option::of(prop::sample::select(vec![
            Leftovers::Kill,
            Leftovers::Session,
            Leftovers::Keep,
        ])),
    )
        .prop_map(
            |(one, other, max_lines, max_bytes, spill_quota, stop_grace, leftovers)| Limits {
                default_timeout: if one < other { one } else { other },
                max_timeout: if one < other { other } else { one },
                output: OutputLimits {
                    max_lines,
                    max_bytes,
                },
                spill_quota,
                stop_grace,
                leftovers,
            },
        )
}

fn process() -> impl Strategy<Value = Rlimits> {
    let limit = || prop::option::of(1..=1_u64 << 40);
    (prop::option::of(1..=9999_u64), limit(), limit(), limit()).prop_map(
        |(cpu, memory, file_size, open_files)| Rlimits {
            cpu,
            memory,
            file_size,
            open_files,
        },
    )
}

fn env() -> impl Strategy<Value = EnvPolicy> {
    let inherit = prop_oneof![
        Just(Inherit::Core),
        Just(Inherit::All),
        globs().prop_map(Inherit::Globs)
    ];
    let set = prop::collection::btree_map("[A-Za-z_][A-Za-z0-9_]{0,5}", text(), 0..3);
    let exclude = prop::collection::btree_set("[A-Z_*?]{1,8}", 0..3);
    (inherit, exclude, set).prop_map(|(inherit, exclude, set)| EnvPolicy {
        inherit,
        exclude: exclude.into_iter().collect(),
        set: set.into_iter().collect(),
    })
}

/// Any config that one file can make, with no secrets in it.
pub(super) fn config() -> impl Strategy<Value = Config> {
    let paths = (prop::option::of(path()), path(), path());
    let choices = (any::<bool>(), any::<bool>(), any::<bool>());
    let most = || prop::option::of(1..=1_u64 << 40);
    let limits = (
        limits(),
        process(),
        (any::<bool>(), prop::option::of(1..9999_u64), most()),
    );
    (paths, text(), limits, env(), hooks(), choices).prop_map(
        |(
            (shell, root, audit),
            prefix,
            (limits, process, policy),
            env,
            hooks,
            (confine_cwd, fixed, expose),
        )| {
            let (hook_policy, hooks) = bound(policy, hooks);
            Config {
                shell: Shell {
                    path: shell,
                    prefix,
                },
                limits,
                process,
                workspace: Workspace {
                    root,
                    confine_cwd,
                    cwd: if fixed {
                        CwdPolicy::Fixed
                    } else {
                        CwdPolicy::Request
                    },
                },
                env,
                session: SessionVariables {
                    expose,
                    prefix: "P_".to_owned(),
                },
                audit: Audit {
                    path: audit,
                    durability: if fixed {
                        Durability::Fsync
                    } else {
                        Durability::None
                    },
                    rotate_size: policy.2,
                    rotate_age: policy.1.map(Duration::from_secs),
                    rotate_keep: policy.1,
                    syslog: fixed.then(|| PathBuf::from("/dev/log")),
                },
                hook_policy,
                hooks,
                provenance: Provenance::default(),
                masked_env: Vec::new(),
            }
        },
    )
}
