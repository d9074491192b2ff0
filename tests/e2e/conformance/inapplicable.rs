/// The cases that cannot be had here, each with the reason.
pub(super) const INAPPLICABLE: [(&str, &str); 11] = [
    (
        "T9",
        "it is about the bash launcher of Windows, and this runs on Linux only",
    ),
    (
        "T22",
        "it is about a program that kills, and here the system is called directly",
    ),
    (
        "T23",
        "sessions of an agent are the agent's: there is nothing to switch between here",
    ),
    ("T25", "turns, reloads and disposal are an agent's"),
    (
        "T29",
        "no hook changes a result here: hooks are shown the ending and no output",
    ),
    (
        "T30",
        "a mode for planning is a policy of a deployment, which brings its own guard",
    ),
    (
        "T34",
        "there are no hooks of an abort: audit hooks are told of every ending alike",
    ),
    ("X26", "the contract has no such case"),
    ("X34", "the contract has no such case"),
    ("X36", "the contract has no such case"),
    ("X39", "the contract has no such case"),
];
