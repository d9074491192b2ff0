use std::fs;

use anyhow::Context as _;
use spawnhook::authoring::Workbench;
use spawnhook::authoring::fixtures::Tested;
use spawnhook::authoring::junit::JunitReport;
use spawnhook_exec::visible;
use spawnhook_hooks::{HookEngine, Snapshots};

use super::arguments::TestArguments;
use super::{Verdict, fixtures};
use crate::cli::{ambient, stream};

pub(super) fn main(arguments: &TestArguments) -> anyhow::Result<Verdict> {
    let engine = HookEngine::with(ambient::engine(Snapshots::Never)?)?;
    let mut report = JunitReport::new();
    let (mut passed, mut failed) = (0, 0);
    for file in &arguments.files {
        let fixtures = fixtures(file)?;
        let path = fixtures.path.display().to_string();
        let bench = Workbench::new(&engine, &fixtures.setup, &ambient::builtins())
            .with_context(|| path.clone())?;
        let tests = fixtures
            .run(&bench)
            .context("cannot ask bash whether a command parses")?;
        stream::to_stdout(&format!("{path}\n"));
        for tested in &tests {
            stream::to_stdout(&line(tested));
        }
        let faults = tests.iter().filter(|tested| tested.fault.is_some()).count();
        failed += faults;
        passed += tests.len() - faults;
        report.add(&path, &tests);
    }
    if let Some(junit) = &arguments.junit {
        fs::write(junit, report.xml())
            .with_context(|| format!("cannot write the report {}", junit.display()))?;
    }
    stream::to_stdout(&format!("\n{passed} passed, {failed} failed\n"));
    Ok(if failed == 0 {
        Verdict::Good
    } else {
        Verdict::NotGood
    })
}

/// The result of a test, and why it failed with what the hook wrote.
fn line(tested: &Tested<'_>) -> String {
    let name = visible(&tested.fixture.name);
    let Some(fault) = &tested.fault else {
        return format!("  ok      {name}\n");
    };
    let mut text = format!("  FAILED  {name}\n");
    indent(&mut text, &fault.message);
    if !tested.log.is_empty() {
        indent(&mut text, "the hook's log:");
        indent(&mut text, &tested.log);
    }
    text
}

fn indent(text: &mut String, lines: &str) {
    for line in lines.lines() {
        text.push_str("          ");
        text.push_str(&visible(line));
        text.push('\n');
    }
}
