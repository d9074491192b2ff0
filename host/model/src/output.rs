use std::path::PathBuf;

/// How much of a command's output its caller gets: whole lines from the end, until either limit
/// is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputLimits {
    /// Lines, an unterminated last one included.
    pub max_lines: usize,
    /// Bytes of cleaned UTF-8 text.
    pub max_bytes: usize,
}

impl Default for OutputLimits {
    /// The limits of the bash tool that this contract comes from: 2000 lines, 50 KiB.
    fn default() -> Self {
        Self {
            max_lines: 2000,
            max_bytes: 50 * 1024,
        }
    }
}

/// What a command wrote, as its caller gets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The cleaned text, or its tail if it was cut.
    pub text: String,
    /// What was cut; none if nothing was.
    pub truncation: Option<Truncation>,
    /// The file with every byte as it was written, if one was kept.
    pub full_output: Option<PathBuf>,
    /// Bytes as the command wrote them.
    pub raw_bytes: u64,
    /// Lines of the whole cleaned text, an unterminated last one included.
    pub lines: u64,
    /// Each stream by itself, if they were kept apart; [`Self::text`] has them as they came.
    pub streams: Option<Streams>,
}

/// What came over two streams, each within the limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    /// The standard output.
    pub stdout: Excerpt,
    /// The standard error.
    pub stderr: Excerpt,
}

/// A text, or what is left of it within limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text unchanged, or if it was cut its last (or first) lines without the final newline.
    pub text: String,
    /// What was cut; none if nothing was.
    pub truncation: Option<Truncation>,
    /// Lines of the whole text, an unterminated last one included.
    pub lines: u64,
}

/// What was cut from an output. Lines and bytes are those of the cleaned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncation {
    /// The limit that was reached first.
    pub by: Cut,
    /// Lines of the whole text.
    pub total_lines: u64,
    /// Bytes of the whole text.
    pub total_bytes: u64,
    /// Lines that are left.
    pub shown_lines: u64,
    /// Bytes that are left.
    pub shown_bytes: u64,
    /// The number of the first line that is left, counted from 1.
    pub first_line: u64,
    /// Whether what is left is a part of one line that is over the limit by itself: its end, or
    /// its start where first lines are kept.
    pub last_line_partial: bool,
    /// Bytes of the whole last line without its newline, of which the tail is shown if
    /// [`Self::last_line_partial`].
    pub last_line_bytes: u64,
    /// The limit of bytes that applied.
    pub max_bytes: u64,
}

/// Which limit an output was cut by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// [`OutputLimits::max_lines`].
    Lines,
    /// [`OutputLimits::max_bytes`].
    Bytes,
}

impl Cut {
    /// The name that results use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Bytes => "bytes",
        }
    }
}
