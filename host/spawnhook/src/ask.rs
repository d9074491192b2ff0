use spawnhook_exec::BoxFuture;
use spawnhook_model::Call;

/// Who answers when a guard wants a person to agree.
///
/// Without one, every question is a denial.
pub trait Ask: Send + Sync + 'static {
    /// Puts the question of `hook` about `command` to a person: true if the command may run.
    ///
    /// `question` and `command` come from strangers. Whoever shows them makes control characters
    /// visible first (`spawnhook_exec::visible`).
    fn ask<'a>(
        &'a self,
        call: &'a Call,
        command: &'a str,
        hook: &'a str,
        question: &'a str,
    ) -> BoxFuture<'a, bool>;
}
