use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use spawnhook::authoring::Workbench;
use spawnhook::authoring::fixtures::{Fixture, Fixtures};
use spawnhook::authoring::fuzz::{Campaign, Class, FuzzReport, fuzz};
use spawnhook_exec::{random_u64, visible};
use spawnhook_hooks::{HookEngine, Snapshots};

use super::arguments::FuzzArguments;
use super::{Verdict, fixtures};
use crate::cli::{ambient, stream};

/// How long is searched if nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// The longest command that is shown whole.
const SHOWN_CHARS: usize = 400;

pub(super) fn main(arguments: &FuzzArguments) -> anyhow::Result<Verdict> {
    let mut fixtures = fixtures(&arguments.file)?;
    let engine = HookEngine::with(ambient::engine(Snapshots::Never)?)?;
    let bench = Workbench::new(&engine, &fixtures.setup, &ambient::builtins())
        .with_context(|| fixtures.path.display().to_string())?;
    let campaign = campaign(arguments)?;
    let bar = bar(&campaign)?;
    let report = fuzz(&bench, &fixtures, campaign, &|progress| {
        bar.set_position(match campaign.cases {
            Some(_) => progress.cases,
            None => progress.took.as_secs(),
        });
        bar.set_message(format!("{} cases", progress.cases));
    })?;
    bar.finish_and_clear();
    let fixture = report
        .finding
        .as_ref()
        .map(|finding| finding.fixture(&fixtures));
    tell(arguments, &report, fixture.as_ref(), &fixtures)?;
    let Some(fixture) = fixture else {
        return Ok(Verdict::Good);
    };
    if !arguments.dry_run {
        fixtures.append(fixture)?;
    }
    Ok(Verdict::NotGood)
}

fn campaign(arguments: &FuzzArguments) -> anyhow::Result<Campaign> {
    let seed = match arguments.seed {
        Some(seed) => seed,
        // Of a length that can be typed again.
        None => random_u64().context("cannot get a seed by chance")? >> 32,
    };
    let cases = arguments.cases.map(u64::from);
    let time = arguments
        .seconds
        .map(|seconds| Duration::from_secs(seconds.get()));
    Ok(Campaign {
        seed,
        time: time.or_else(|| cases.is_none().then_some(DEFAULT_TIME)),
        cases,
        workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
    })
}

/// A bar on a terminal; where stderr is none, nothing is drawn.
fn bar(campaign: &Campaign) -> anyhow::Result<ProgressBar> {
    let length = campaign.cases.or(campaign.time.map(|time| time.as_secs()));
    let bar = ProgressBar::new(length.unwrap_or_default());
    bar.set_style(ProgressStyle::with_template("{wide_bar} {msg}, {elapsed}")?);
    Ok(bar)
}

#[derive(Serialize)]
struct Report<'a> {
    seed: u64,
    cases: u64,
    seconds: f64,
    classes: serde_json::Map<String, serde_json::Value>,
    decisions: &'a std::collections::BTreeMap<&'static str, u64>,
    made_up_settings: u64,
    rejected_settings: u64,
    finding: Option<Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    number: u64,
    invariant: &'static str,
    class: Option<&'static str>,
    message: &'a str,
    fixture: &'a str,
    command: &'a str,
}

impl<'a> Report<'a> {
    fn new(report: &'a FuzzReport, fixture: Option<&'a Fixture>) -> Self {
        let spread = &report.spread;
        let classes = Class::ALL.map(|class| (class.name().to_owned(), spread.share(class).into()));
        Self {
            seed: report.seed,
            cases: spread.cases(),
            seconds: report.took.as_secs_f64(),
            classes: classes.into_iter().collect(),
            decisions: &spread.decisions,
            made_up_settings: spread.made_up,
            rejected_settings: spread.rejected,
            finding: report
                .finding
                .as_ref()
                .zip(fixture)
                .map(|(finding, fixture)| Found {
                    number: finding.number,
                    invariant: finding.violation.invariant.name(),
                    class: finding.violation.class.map(|class| class.name()),
                    message: &finding.violation.message,
                    fixture: &fixture.name,
                    command: &fixture.command,
                }),
        }
    }
}

fn tell(
    arguments: &FuzzArguments,
    report: &FuzzReport,
    fixture: Option<&Fixture>,
    fixtures: &Fixtures,
) -> anyhow::Result<()> {
    if arguments.json {
        return Ok(stream::json_line(&Report::new(report, fixture))?);
    }
    stream::to_stdout(&summary(report));
    if let (Some(finding), Some(fixture)) = (&report.finding, fixture) {
        stream::to_stdout(&format!(
            "\nfound by case {}: {} does not hold\n  {}\n\n{}",
            finding.number,
            finding.violation.invariant.name(),
            visible(&finding.violation.message),
            shown(fixture),
        ));
        if !arguments.dry_run {
            stream::to_stdout(&format!(
                "\nadded as the test {:?} to {}, where `spawnhook plugin test` replays it\n",
                fixture.name,
                fixtures.path.display()
            ));
        }
    }
    Ok(())
}

fn summary(report: &FuzzReport) -> String {
    let spread = &report.spread;
    let seconds = report.took.as_secs_f64();
    let mut text = format!(
        "{} cases in {seconds:.1} s, seed {}\n",
        spread.cases(),
        report.seed
    );
    let classes =
        Class::ALL.map(|class| format!("{} {:.1} %", class.name(), spread.share(class) * 100.0));
    text += &format!("  cases     {}\n", classes.join(", "));
    let decisions = spread.decisions.iter();
    let decisions: Vec<_> = decisions
        .map(|(decision, count)| format!("{decision} {count}"))
        .collect();
    text += &format!("  decisions {}\n", decisions.join(", "));
    if spread.made_up > 0 {
        text += &format!(
            "  settings  made up for {} cases, {} of which the hook did not accept\n",
            spread.made_up, spread.rejected
        );
    }
    text
}

fn shown(fixture: &Fixture) -> String {
    let count = fixture.command.chars().count();
    let mut command: String = fixture.command.chars().take(SHOWN_CHARS).collect();
    if count > SHOWN_CHARS {
        command += &format!("… ({count} characters)");
    }
    let mut text = format!("  command  {}\n", visible(&command));
    text += &format!("  cwd      {}\n", visible(&fixture.cwd.to_string_lossy()));
    for (name, value) in &fixture.env {
        text += &format!("  env      {}={}\n", visible(name), visible(value));
    }
    if let Some(settings) = &fixture.settings {
        text += &format!("  settings {}\n", visible(&settings.to_string()));
    }
    text
}
