use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use spawnhook_exec::{Leftovers, Rlimits};
use spawnhook_hooks::{OnFailure, Rights};
use spawnhook_model::{OutputLimits, Stage, Timeout};

use crate::config::{
    Audit, Component, Config, CwdPolicy, Durability, HookEntry, HookLimitsConfig, HookPolicy,
    Layer, Limits, Profile, Provenance, Shell, WhenConfig, Workspace,
};
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

fn settings() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        (-1e300..1e300).prop_map(serde_json::Value::from),
        text().prop_map(serde_json::Value::from),
    ];
    let nested = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a-d .\"]{0,3}", inner, 0..3)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    });
    prop::collection::btree_map("[a-z .é]{0,4}", nested, 0..3)
        .prop_map(|map| serde_json::Value::Object(map.into_iter().collect()))
}

fn component() -> impl Strategy<Value = Component> {
    prop_oneof![
        "[a-z-]{1,8}".prop_map(Component::Builtin),
        path().prop_map(Component::File)
    ]
}

/// Rights that a hook of the stage can have.
fn may(stage: Stage) -> impl Strategy<Value = Rights> {
    (globs(), globs(), any::<bool>()).prop_map(move |(see_env, set_env, cwd)| {
        let rewrites = stage == Stage::Rewrite;
        Rights {
            see_env,
            unset_env: if rewrites {
                set_env.clone()
            } else {
                Vec::new()
            },
            set_env: if rewrites { set_env } else { Vec::new() },
            command: rewrites,
            cwd: rewrites && cwd,
        }
    })
}

fn hook_limits() -> impl Strategy<Value = HookLimitsConfig> {
    let duration =
        || prop::option::of(duration().prop_filter("zero", |duration| !duration.is_zero()));
    let memory = prop::option::of(size().prop_map(|size| size.max(1)));
    let profile = prop::sample::select(vec![
        None,
        Some(Profile::Native),
        Some(Profile::Interpreted),
    ]);
    (duration(), duration(), memory, profile).prop_map(|(cpu, wall, memory, profile)| {
        HookLimitsConfig {
            cpu,
            wall,
            memory,
            profile,
        }
    })
}

fn when(stage: Stage) -> impl Strategy<Value = WhenConfig> {
    let origin = prop::sample::subsequence(vec!["cli", "rpc", "agent:*"], 0..=3);
    (origin, prop::option::of("[a-z^ \"']{1,5}")).prop_map(move |(origin, command)| WhenConfig {
        origin: origin.into_iter().map(str::to_owned).collect(),
        command: command.filter(|_| stage == Stage::Rewrite),
    })
}

/// A policy, and the same hooks as it leaves them.
fn bound(
    (require_pins, max_cpu, max_memory): (bool, Option<u64>, Option<u64>),
    mut hooks: Vec<HookEntry>,
) -> (HookPolicy, Vec<HookEntry>) {
    let policy = HookPolicy {
        require_pins,
        max_cpu: max_cpu.map(Duration::from_millis),
        max_wall: max_cpu.map(Duration::from_secs),
        max_memory,
    };
    for hook in &mut hooks {
        if require_pins {
            hook.sha256.get_or_insert("0".repeat(64));
        }
        let limits = &mut hook.limits;
        limits.cpu = limits.cpu.map(|cpu| cpu.min(policy.max_cpu.unwrap_or(cpu)));
        limits.wall = limits
            .wall
            .map(|wall| wall.min(policy.max_wall.unwrap_or(wall)));
        limits.memory = limits
            .memory
            .map(|bytes| bytes.min(max_memory.unwrap_or(bytes)));
        policy.lower_defaults(limits);
    }
    (policy, hooks)
}

fn hook() -> impl Strategy<Value = HookEntry> {
    let stage = prop::sample::select(Stage::ALL.to_vec());
    let on_failure = prop::sample::select(vec![OnFailure::Deny, OnFailure::Skip]);
    let sha256 = prop::option::of("[0-9a-f]{64}");
    stage
        .prop_flat_map(move |stage| (Just(stage), may(stage), when(stage)))
        .prop_flat_map(move |(stage, may, when)| {
            (
                component(),
                on_failure.clone(),
                hook_limits(),
                settings(),
                sha256.clone(),
            )
                .prop_map(move |(component, on_failure, limits, settings, sha256)| {
                    HookEntry {
                        name: String::new(),
                        component,
                        sha256,
                        stage,
                        on_failure,
                        when: when.clone(),
                        may: may.clone(),
                        limits,
                        masked_settings: settings.clone(),
                        settings,
                        from: Layer::User,
                    }
                })
        })
}

/// Hooks with names, one of them that of the built-in hook, in the order of their calls.
fn hooks() -> impl Strategy<Value = Vec<HookEntry>> {
    prop::collection::vec(hook(), 1..4).prop_map(|mut hooks| {
        for (index, hook) in hooks.iter_mut().enumerate() {
            hook.name = match index {
                0 => "audit-log".to_owned(),
                index => format!("hook-{index}"),
            };
        }
        hooks.sort_by_key(|hook| hook.stage);
        hooks
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
                },
                hook_policy,
                hooks,
                provenance: Provenance::default(),
                masked_env: Vec::new(),
            }
        },
    )
}
