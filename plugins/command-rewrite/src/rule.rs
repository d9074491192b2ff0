//! One rule: a pattern and what its matches are replaced with.

use regex_lite::{Regex, RegexBuilder};
use spawnhook_sdk::settings::{FromSetting, Setting};

use crate::template::Template;

/// How many bytes a pattern may have. A match costs text × pattern at most.
const PATTERN_BYTES: usize = 4096;
/// How much memory a compiled pattern may take, in bytes: `x{1000}{1000}` is short as a text.
const COMPILED_BYTES: usize = 256 * 1024;

/// A rule of the settings.
pub(crate) struct Rule {
    pattern: Regex,
    replace: Template,
    once: bool,
}

/// A command would become longer than a command may be.
pub(crate) struct TooLong;

impl Rule {
    /// `text` with its first match or all of them replaced. The rest stays as it is.
    pub(crate) fn apply(&self, text: &str, max_bytes: usize) -> Result<String, TooLong> {
        let mut output = String::with_capacity(text.len());
        let mut end = 0;
        let matches = if self.once { 1 } else { usize::MAX };
        for captures in self.pattern.captures_iter(text).take(matches) {
            let whole = captures.get(0).expect("invariant: group 0 is the match");
            output.push_str(&text[end..whole.start()]);
            self.replace.expand(&captures, &mut output);
            end = whole.end();
            if output.len() > max_bytes {
                return Err(TooLong);
            }
        }
        output.push_str(&text[end..]);
        Ok(output)
    }
}

impl FromSetting for Rule {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.object(|rule| {
            let pattern = rule.required::<Pattern>("pattern");
            let replace = rule.required::<String>("replace");
            let once = rule.optional("once").unwrap_or(false);
            let (Pattern(pattern), replace) = (pattern?, replace?);
            match Template::parse(&replace, &pattern) {
                Ok(replace) => Some(Self {
                    pattern,
                    replace,
                    once,
                }),
                Err(what) => {
                    rule.problem(
                        "replace",
                        format_args!("expected {what}, found {replace:?}"),
                    );
                    None
                }
            }
        })
    }
}

/// A regular expression whose matching is bounded by the product of the two lengths.
struct Pattern(Regex);

impl FromSetting for Pattern {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.parse(|text| {
            if text.len() > PATTERN_BYTES {
                return Err(format!("at most {PATTERN_BYTES} bytes of pattern"));
            }
            let compiled = RegexBuilder::new(text).size_limit(COMPILED_BYTES).build();
            compiled
                .map(Self)
                .map_err(|error| format!("a regular expression ({error})"))
        })
    }
}
