use anyhow::Context as _;
use serde::Serialize;
use spawnhook::authoring::Workbench;
use spawnhook::authoring::measure::{Baseline, Measure, measure};
use spawnhook_exec::visible;
use spawnhook_hooks::{EngineOptions, HookEngine, Snapshots};

use super::arguments::BenchArguments;
use super::{Verdict, fixtures};
use crate::cli::{ambient, stream};

pub(super) fn main(arguments: &BenchArguments) -> anyhow::Result<Verdict> {
    let fixtures = fixtures(&arguments.file)?;
    let load = |engine: &HookEngine| {
        Workbench::new(engine, &fixtures.setup, &ambient::builtins())
            .with_context(|| fixtures.path.display().to_string())
    };
    let options = ambient::engine(Snapshots::Never)?;
    let timed = load(&HookEngine::with(options.clone())?)?;
    let counting = load(&HookEngine::with(EngineOptions {
        counts_instructions: true,
        ..options
    })?)?;
    let calls = usize::try_from(arguments.calls.get()).context("--calls: too many")?;
    let measures = measure(&timed, &counting, &fixtures, calls)?;
    if arguments.json {
        let rows: Vec<Row<'_>> = measures.iter().map(Row::from).collect();
        stream::json_line(&rows)?;
    } else {
        stream::to_stdout(&table(&measures));
    }
    compare(arguments, &measures)
}

fn compare(arguments: &BenchArguments, measures: &[Measure]) -> anyhow::Result<Verdict> {
    let Some(path) = &arguments.baseline else {
        return Ok(Verdict::Good);
    };
    if arguments.save_baseline {
        Baseline::of(measures).write(path)?;
        return Ok(Verdict::Good);
    }
    let baseline = Baseline::read(path)?;
    let regressions = baseline.regressions(measures, arguments.tolerance);
    for regression in &regressions {
        stream::say(&format!(
            "{}: {} instructions, {} in the baseline; --save-baseline keeps them if they are meant",
            regression.test, regression.now, regression.before
        ));
    }
    let measured = |test: &String| measures.iter().any(|measure| measure.test == *test);
    for gone in baseline.instructions.keys().filter(|test| !measured(test)) {
        stream::say(&format!("{gone}: in the baseline, but no test any more"));
    }
    Ok(if regressions.is_empty() {
        Verdict::Good
    } else {
        Verdict::NotGood
    })
}

#[derive(Serialize)]
struct Row<'a> {
    test: &'a str,
    decision: &'static str,
    p50_micros: f64,
    p99_micros: f64,
    memory_bytes: u64,
    instructions: u64,
}

impl<'a> From<&'a Measure> for Row<'a> {
    fn from(measure: &'a Measure) -> Self {
        Self {
            test: &measure.test,
            decision: measure.decision,
            p50_micros: measure.p50.as_secs_f64() * 1e6,
            p99_micros: measure.p99.as_secs_f64() * 1e6,
            memory_bytes: measure.memory_bytes,
            instructions: measure.instructions,
        }
    }
}

fn table(measures: &[Measure]) -> String {
    let mut text = format!(
        "{:>9} {:>9} {:>11} {:>13}  {:<9}  test\n",
        "p50", "p99", "memory", "instructions", "decision"
    );
    for row in measures.iter().map(Row::from) {
        text += &format!(
            "{:>6.0} µs {:>6.0} µs {:>7} KiB {:>13}  {:<9}  {}\n",
            row.p50_micros,
            row.p99_micros,
            row.memory_bytes >> 10,
            row.instructions,
            row.decision,
            visible(row.test),
        );
    }
    text
}
