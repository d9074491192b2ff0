//! One rule: a pattern and what its matches are replaced with.

use spawnhook_sdk::{
    pattern::{Letters, Pattern},
    settings::{FromSetting, Setting},
};

use crate::template::Template;

/// A rule of the settings.
pub(crate) struct Rule {
    pattern: Pattern,
    replace: Template,
    once: bool,
}

/// A command would become longer than a command may be.
pub(crate) struct TooLong;

impl Rule {
    /// Whether there may be a match in a text of these bytes.
    pub(crate) fn may_match(&self, text: Letters) -> bool {
        self.pattern.may_match(text)
    }

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
            let (pattern, replace) = (pattern?, replace?);
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
