//! What hooks cost, beside what a spawn costs in the same run.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run fails")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use criterion::{Criterion, criterion_group, criterion_main};
use spawnhook::builtin::Builtins;
use spawnhook_hooks::{
    Allocation, AuditLog, Chain, EngineOptions, Hook, HookEngine, HookLimits, HookSpec, Placement,
    Recorded, Snapshots, Verdict,
};
use spawnhook_model::{Call, Env, Origin, Session, SpawnContext, Stage};
use tokio::runtime::Runtime;

fn call() -> Arc<Call> {
    Arc::new(Call {
        id: "0123456789abcdef".into(),
        origin: Origin::Cli,
        requested: "npm test".into(),
        prefix: String::new(),
        workspace: "/".into(),
        timeout: None,
        started: SystemTime::UNIX_EPOCH,
        session: Session::default(),
    })
}

fn spawn(variables: usize) -> SpawnContext {
    SpawnContext {
        command: "npm test".into(),
        cwd: "/".into(),
        env: (0..variables)
            .map(|number| (format!("VARIABLE_{number}"), format!("value of {number}")))
            .collect::<Env>(),
    }
}

fn builtin(engine: &HookEngine, stage: Stage, name: &str, settings: &str) -> Hook {
    let component = Builtins::Embedded.component(name).unwrap();
    let mut spec = HookSpec::new(name, stage, component);
    settings.clone_into(&mut spec.settings);
    // An audit hook has the rights of the default deployment: it sees the value of no variable.
    if stage == Stage::Rewrite {
        spec.rights.see_env = vec!["*".into()];
        spec.rights.set_env = vec!["*".into()];
        spec.rights.command = true;
    }
    engine.load(spec).unwrap()
}

/// Settings of as many rules, none of which matches.
fn rules(count: usize) -> String {
    let rules: Vec<String> = (0..count)
        .map(|rule| {
            format!(
                r#"{{"pattern":"(?m)^tool{rule} +(run|test)","replace":"tool{rule} --offline $1"}}"#
            )
        })
        .collect();
    format!(r#"{{"rules":[{}]}}"#, rules.join(","))
}

/// An audit log that keeps nothing, so that the hook is measured and not the disk.
struct Nowhere;

impl AuditLog for Nowhere {
    fn append(&self, _hook: &str, _entry: &str) -> Result<(), String> {
        Ok(())
    }

    fn append_at_once(&self, hook: &str, entry: &str) -> Option<Result<(), String>> {
        Some(self.append(hook, entry))
    }
}

fn guard(engine: &HookEngine) -> Hook {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hooks/no-push.wat");
    let component = wat::parse_file(file).unwrap();
    engine
        .load(HookSpec::new("no-push", Stage::Guard, component))
        .unwrap()
}

/// The example in an interpreted language, as `plugins/build --examples` makes it.
fn interpreted(engine: &HookEngine, language: &str) -> Hook {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/examples/target");
    let component = std::fs::read(folder.join(format!("pipe-guard-{language}.wasm")));
    let component = component.expect("plugins/build --examples has built the examples");
    let mut spec = HookSpec::new(language, Stage::Guard, component);
    r#"{"ask":["sudo "]}"#.clone_into(&mut spec.settings);
    spec.rights.see_env = vec!["*".into()];
    spec.limits = HookLimits::interpreted();
    engine.load(spec).unwrap()
}

/// A policy as deployments have one.
const POLICY: &str = r#"{
    "default": "ask", "allowed": ["cargo", "cat", "git", "grep", "ls", "npm", "rg", "sort"],
    "denied": ["rm", "sudo"], "writable": ["inside"],
    "rules": [
        {"program": "git", "arguments": ["push"], "flags": ["--force*", "-f"], "verdict": "deny"},
        {"program": "git", "arguments": ["push"], "verdict": "ask"}
    ]
}"#;

/// As long a script as the guard reads: about 60 KB.
fn script() -> String {
    let line = "ls -la \"$dir\" > out.txt 2>&1 && grep -v 'a b c' file.txt | sort -u || echo \"failed: $?\"\n";
    line.repeat(60_000 / line.len())
}

/// What the guard costs for one line, which may be a tenth of the yardstick, and for a long
/// script, which may be ten of it.
fn policies(criterion: &mut Criterion) {
    let runtime = runtime();
    let engine = HookEngine::with(EngineOptions {
        allocation: Allocation::Pooling,
        placement: Placement::InPlace,
        snapshots: Snapshots::Take,
        ..EngineOptions::default()
    })
    .unwrap();
    let call = call();
    for (what, command) in [
        ("the policy, one line", "git status && npm test".to_owned()),
        ("the policy, 60 KB", script()),
    ] {
        let guard = builtin(&engine, Stage::Guard, "command-policy", POLICY);
        let chain = Chain::new(vec![guard]).unwrap();
        let spawn = SpawnContext {
            command,
            ..spawn(0)
        };
        criterion.bench_function(what, |bencher| {
            bencher.iter(|| decide(&runtime, &chain, &call, &spawn));
        });
    }
}

/// On which calls are made in place, as a host does that runs commands.
fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap()
}

fn decide(runtime: &Runtime, chain: &Chain, call: &Arc<Call>, spawn: &SpawnContext) {
    let decision = runtime.block_on(chain.decide(call, spawn.clone()));
    assert_eq!(decision.verdict, Verdict::Proceed);
}

fn hooks(criterion: &mut Criterion) {
    let runtime = runtime();
    let engine = HookEngine::with(EngineOptions {
        allocation: Allocation::Pooling,
        placement: Placement::InPlace,
        snapshots: Snapshots::Take,
        cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("code")),
        ..EngineOptions::default()
    })
    .unwrap();
    let call = call();
    let rewriting = |name: &str, settings: &str| builtin(&engine, Stage::Rewrite, name, settings);
    let inject = || rewriting("env-inject", r#"{"set":{"MARK":"m"}}"#);
    let rewrite = || rewriting("command-rewrite", r#"{"prepend":["set -e"]}"#);
    let mut measure = |what: &str, hooks: Vec<Hook>, variables: usize| {
        let (chain, spawn) = (Chain::new(hooks).unwrap(), spawn(variables));
        criterion.bench_function(what, |bencher| {
            bencher.iter(|| decide(&runtime, &chain, &call, &spawn));
        });
    };
    for variables in [0, 40] {
        measure(
            &format!("one hook, {variables} variables"),
            vec![inject()],
            variables,
        );
    }
    for count in [0, 100, 500] {
        let hook = rewriting("command-rewrite", &rules(count));
        measure(&format!("{count} rules, 40 variables"), vec![hook], 40);
    }
    for language in ["javascript", "python"] {
        let hook = interpreted(&engine, language);
        measure(&format!("{language}, 40 variables"), vec![hook], 40);
    }
    let three = vec![rewrite(), inject(), guard(&engine)];
    measure("two rewriting hooks and a guard, 40 variables", three, 40);

    let audit = builtin(&engine, Stage::Audit, "audit-log", "{}");
    let chain = Chain::new(vec![rewrite(), inject(), audit]).unwrap();
    let (forty, log) = (spawn(40), Arc::new(Nowhere) as Arc<dyn AuditLog>);
    criterion.bench_function("the three first-party hooks, 40 variables", |bencher| {
        bencher.iter(|| {
            runtime.block_on(async {
                let decision = chain.decide(&call, forty.clone()).await;
                let spawn = Arc::new(decision.spawn);
                let recorded = chain.record_spawn(&call, &spawn, &log).await;
                assert!(matches!(recorded, Recorded::Proceed { .. }));
            });
        });
    });
    criterion.bench_function("the yardstick: sh -c true", |bencher| {
        bencher.iter(|| Command::new("sh").args(["-c", "true"]).status().unwrap());
    });
}

criterion_group!(benches, hooks, policies);
criterion_main!(benches);
