//! Results of tests in the form that CI systems read.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::fixtures::Tested;

/// The report of test files: one suite for each, named by the file.
#[derive(Debug)]
pub struct JunitReport(Report);

impl JunitReport {
    /// A report without suites.
    pub fn new() -> Self {
        Self(Report::new("spawnhook plugin test"))
    }

    /// Adds the tests of a file.
    pub fn add(&mut self, file: &str, tests: &[Tested<'_>]) {
        let mut suite = TestSuite::new(file);
        suite.add_test_cases(tests.iter().map(case));
        self.0.add_test_suite(suite);
    }

    /// The report as XML.
    pub fn xml(&self) -> String {
        self.0
            .to_string()
            .expect("invariant: a report in memory can be written")
    }
}

impl Default for JunitReport {
    fn default() -> Self {
        Self::new()
    }
}

fn case(tested: &Tested<'_>) -> TestCase {
    let status = match &tested.fault {
        None => TestCaseStatus::success(),
        Some(fault) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let first = fault.message.lines().next().unwrap_or_default();
            status.set_message(first);
            status.set_description(fault.message.as_str());
            status
        }
    };
    let mut case = TestCase::new(tested.fixture.name.as_str(), status);
    case.set_time(tested.took);
    if !tested.log.is_empty() {
        case.set_system_out(tested.log.as_str());
    }
    case
}
