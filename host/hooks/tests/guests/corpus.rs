//! What a hostile component can try, entry by entry, and the guest that tries it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::guest::guests;

/// Where an entry is tried.
enum Tried {
    /// By these guests, whose headers say what must come of it.
    By(&'static [&'static str]),
    /// By a test that is no guest's: its file and its name.
    In(&'static str, &'static str),
    /// Nowhere, for this reason.
    Inapplicable(&'static str),
}

use Tried::{By, In, Inapplicable};

const ENTRIES: &[(&str, Tried)] = &[
    // Time.
    (
        "infinite loop in the call",
        By(&["loops", "audit-loops-after-exit"]),
    ),
    ("infinite loop in the start function", By(&["start-loops"])),
    ("infinite loop in realloc", By(&["realloc-loops"])),
    ("infinite loop in post-return", By(&["post-return-loops"])),
    ("infinite loop in configure", By(&["configure-loops"])),
    ("loop of tiny host calls", By(&["calls-host-forever"])),
    ("huge memory.fill", By(&["fills-memory"])),
    ("direct recursion", By(&["recurses"])),
    ("indirect recursion", By(&["recurses-indirectly"])),
    // Space.
    ("memory grows to its limit", By(&["memory-grows-to-limit"])),
    (
        "memory grows past its limit",
        By(&["memory-grows", "large-start-memory"]),
    ),
    ("many memories", By(&["many-memories", "memories-grow"])),
    ("table grows", By(&["table-grows", "many-tables"])),
    (
        "10 000 core instances",
        By(&["many-instances", "nested-instances"]),
    ),
    // Values.
    ("result beyond memory", By(&["string-outside-memory"])),
    (
        "result across the end of memory",
        By(&["string-past-memory"]),
    ),
    ("odd alignment", By(&["list-misaligned"])),
    ("invalid UTF-8", By(&["invalid-utf8"])),
    ("UTF-16", By(&["utf16", "utf16-half-pair"])),
    ("Latin-1", By(&["latin1-or-utf16"])),
    (
        "length of 2 GB",
        By(&["string-of-2-gigabytes", "string-of-9-megabytes"]),
    ),
    (
        "length times element size overflows",
        By(&["list-past-memory"]),
    ),
    ("bad discriminant", By(&["bad-discriminant"])),
    (
        "bad char",
        Inapplicable("no type of the interface or of what is linked of WASI has a char"),
    ),
    (
        "bad bool",
        Inapplicable(
            "no result of a hook has a bool; functions of WASI that take one belong to sockets, \
             which nobody gets",
        ),
    ),
    ("realloc returns null", By(&["realloc-null"])),
    (
        "realloc returns a misaligned address",
        By(&["realloc-misaligned"]),
    ),
    (
        "realloc returns an address outside",
        By(&["realloc-out-of-bounds"]),
    ),
    (
        "realloc is asked to shrink and moves outside",
        In("encodings.rs", "what_a_guest_shrinks_to_is_checked"),
    ),
    ("realloc traps", By(&["realloc-traps"])),
    ("realloc calls an import", By(&["realloc-calls-host"])),
    // Rights.
    (
        "unchanged data with other declared writes",
        Inapplicable("an answer declares nothing: the host compares what it gave and what came"),
    ),
    ("NUL in the command", By(&["command-with-nul", "sets-nul"])),
    (
        "escape sequences in the command",
        By(&["command-with-escapes"]),
    ),
    ("escape sequences in a reason", By(&["denies-with-escapes"])),
    ("escape sequences in the log", By(&["log-with-escapes"])),
    ("LD_PRELOAD and its like", By(&["sets-ld-preload"])),
    (
        "cwd with ..",
        In(
            "../../../exec/src/cwd/tests.rs",
            "confinement_follows_links_on_both_sides",
        ),
    ),
    ("relative cwd", By(&["cwd-relative"])),
    (
        "cwd swapped by a symbolic link between check and spawn",
        In(
            "../../../exec/src/local/tests/attributes.rs",
            "a_command_starts_in_the_directory_that_was_opened_wherever_it_is_by_then",
        ),
    ),
    // WASI.
    ("exit(0)", By(&["exits"])),
    ("exit with failure", By(&["exits-with-error"])),
    (
        "exit(7)",
        Inapplicable("WASI 0.2 has no stable function that exits with a number"),
    ),
    ("flood on stdout", By(&["stdout-flood"])),
    (
        "flood on stderr",
        By(&["stderr-flood", "log-flood", "message-of-9-megabytes"]),
    ),
    ("a line on stderr without end", By(&["stderr-without-end"])),
    ("sleep by poll", By(&["sleeps"])),
    ("read stdin", By(&["reads-stdin"])),
    ("1 GB of random bytes", By(&["takes-random"])),
    (
        "open a preopened directory",
        By(&["sees-no-environment", "uses-handle-of-nobody"]),
    ),
    ("create a socket", By(&["opens-socket"])),
    ("drop a handle twice", By(&["drops-twice"])),
    ("leak a million handles", By(&["takes-handles"])),
    // Files.
    (
        "import of an unknown interface",
        By(&["imports-unknown", "imports-http"]),
    ),
    (
        "right interface of a wrong type",
        By(&["imports-wrong-type", "exports-wrong-type"]),
    ),
    (
        "wrong version track",
        By(&["imports-newer-version", "exports-other-version"]),
    ),
    ("async-lifted export", By(&["exports-async"])),
    (
        "components nested 100 deep",
        In(
            "admission.rs",
            "components_that_are_nested_deep_are_refused",
        ),
    ),
    (
        "valid signature and hostile body",
        Inapplicable(
            "nothing is trusted for its signature: a pinned digest says which file it is, and the \
             file is checked and limited as any other",
        ),
    ),
];

#[test]
fn every_entry_is_tried_or_has_a_reason_not_to_be() {
    let names: BTreeSet<_> = guests().into_iter().map(|guest| guest.name).collect();
    for (entry, tried) in ENTRIES {
        match tried {
            By(found) => {
                assert!(!found.is_empty(), "{entry}");
                for guest in *found {
                    assert!(names.contains(*guest), "{entry}: there is no guest {guest}");
                }
            }
            In(file, test) => {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guests");
                let text = fs::read_to_string(folder.join(file)).unwrap();
                assert!(text.contains(&format!("fn {test}()")), "{entry}: {test}");
            }
            Inapplicable(reason) => assert!(reason.split(' ').count() > 5, "{entry}"),
        }
    }
}

#[test]
fn no_entry_comes_twice() {
    let entries: BTreeSet<_> = ENTRIES.iter().map(|(entry, _)| entry).collect();
    assert_eq!(entries.len(), ENTRIES.len());
}
