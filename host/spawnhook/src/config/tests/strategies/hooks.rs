use std::time::Duration;

use proptest::prelude::*;
use spawnhook_hooks::{OnFailure, Rights};
use spawnhook_model::Stage;

use super::{duration, globs, path, size, text};
use crate::config::{
    Component, HookEntry, HookLimitsConfig, HookPolicy, Layer, Profile, WhenConfig,
};

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
pub(super) fn bound(
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
pub(super) fn hooks() -> impl Strategy<Value = Vec<HookEntry>> {
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
