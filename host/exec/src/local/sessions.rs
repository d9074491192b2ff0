use std::sync::{Arc, Mutex, PoisonError};

use super::connection::Session;

/// What lives as long as the backend.
#[derive(Clone, Debug, Default)]
pub(super) struct Sessions(Arc<Mutex<Vec<Session>>>);

impl Sessions {
    /// Holds one more, and lets go of those that are over.
    pub(super) fn hold(&self, session: Session) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|session| !session.is_over());
        sessions.push(session);
    }
}
