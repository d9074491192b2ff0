//! Hooks in Rust, without WebAssembly: one that changes commands, and one that refuses some.

#![expect(clippy::print_stdout, reason = "an example tells what it does")]

use std::error::Error;
use std::sync::atomic::{AtomicU32, Ordering};

use spawnhook::config::{Config, Sources};
use spawnhook::exec::Spawner;
use spawnhook::model::{Call, Ending, Env, Origin, Refusal, SpawnContext};
use spawnhook::{ExecRequest, Host, SpawnHook, Via, message};

/// Allows so many commands, and then none.
struct Budget {
    left: AtomicU32,
}

impl SpawnHook for Budget {
    fn before_spawn(&self, _: &Call, spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        let take = |left: u32| left.checked_sub(1);
        match self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
        {
            Ok(_) => Ok(spawn),
            Err(_) => Err(Refusal::Deny(
                "the budget of this task is used up".to_owned(),
            )),
        }
    }
}

/// Lets a command know which call it belongs to.
fn trace(call: &Call, mut spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
    spawn.env.set("TRACE_ID", &call.id);
    Ok(spawn)
}

fn main() -> Result<(), Box<dyn Error>> {
    Spawner::serve_if_asked(std::env::args_os());
    let spawner = Spawner::fork(std::env::current_exe()?)?;
    let folder = tempfile::tempdir()?;
    let config = Config::built_in(&Sources::none(folder.path(), folder.path().join("state")));
    let environment = Env::from_iter([("PATH", "/usr/bin:/bin")]);
    let left = AtomicU32::new(1);
    let host = Host::builder(config, environment, Via::Shell(spawner))
        .rewrite("trace", trace)
        .guard("budget", Budget { left })
        .build()?;

    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let request = || ExecRequest::new("echo \"trace $TRACE_ID\"", Origin::Rpc);
        let first = host.start(request())?.outcome().await?;
        println!("{}", message::message(&first));
        assert_eq!(first.output.text, format!("trace {}\n", first.call.id));
        for hook in &first.hooks {
            println!("{} ({}): {}", hook.name, hook.stage, hook.result.name());
        }

        let second = host.start(request())?.outcome().await?;
        println!("{}", message::message(&second));
        assert!(matches!(second.ending, Ending::Denied { hook, .. } if hook == "budget"));
        Ok(())
    })
}
