//! What an analysis says of the programs of the generator.

use std::collections::BTreeSet;

use spawnhook_shell::{Analysis, Step};

use super::generator::is_program;

/// The programs of the generator that an analysis lists.
pub(crate) fn listed(analysis: &Analysis) -> BTreeSet<String> {
    let programs = analysis.parts.iter().filter_map(|part| part.program());
    let literal = programs.filter_map(|program| program.literal());
    literal
        .filter_map(|name| name.rsplit('/').next())
        .filter(|name| is_program(name))
        .map(str::to_owned)
        .collect()
}

/// How many programs are listed as running whatever happens, and how many of them did not.
pub(crate) fn unconditional(analysis: &Analysis, ran: &BTreeSet<String>) -> (usize, usize) {
    let conditional = |step: &Step| {
        matches!(
            step,
            Step::AndOr
                | Step::Alternative
                | Step::Branch
                | Step::Loop
                | Step::Function
                | Step::Condition
                | Step::Trap
        )
    };
    let certain = analysis.parts.iter().filter(|part| {
        let name = part.program().and_then(|program| program.literal());
        name.is_some_and(is_program) && !part.place.iter().any(conditional)
    });
    let names: BTreeSet<&str> = certain
        .filter_map(|part| part.program()?.literal())
        .collect();
    let missing = names.iter().filter(|name| !ran.contains(**name)).count();
    (names.len(), missing)
}
