//! Questions of guards, which the client puts to its user.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    BooleanSchema, CancelledNotificationParam, ClientResult, ElicitRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationSchema, PrimitiveSchemaDefinition, ProtocolVersion,
    ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, ServiceError};
use spawnhook::{Answer, Ask};
use spawnhook_exec::{BoxFuture, visible};
use tokio::sync::{mpsc, oneshot};

/// How long a person may think. A question without an end would keep its call for ever.
const ANSWERED_WITHIN: Duration = Duration::from_secs(600);

/// What the client's form has in it.
const FIELD: &str = "run";

/// What a guard wants to know, and whom to tell.
#[derive(Debug)]
pub(super) struct Question {
    text: String,
    reply: oneshot::Sender<Answer>,
}

/// How this client can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It cannot.
    None,
    /// By a request of the server's.
    Request,
    /// By an answer that says what is needed; the client calls again with it.
    Retry,
}

/// Asks whoever attends to the call.
#[derive(Debug)]
pub(super) struct Attendant(mpsc::Sender<Question>);

impl Attendant {
    pub(super) fn new() -> (Self, mpsc::Receiver<Question>) {
        let (sender, questions) = mpsc::channel(1);
        (Self(sender), questions)
    }
}

impl Ask for Attendant {
    fn ask<'a>(&'a self, question: spawnhook::Question<'a>) -> BoxFuture<'a, Answer> {
        let mut text = format!(
            "Hook `{}` asks about\n  {}\n{}",
            visible(question.hook),
            visible(&question.spawn.command),
            visible(question.reason)
        );
        let changes = question.changes();
        if !changes.is_empty() {
            text.push_str("\nHooks have changed:\n");
            text.push_str(&changes);
        }
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let nobody = |why: &str| Answer::Nobody(why.to_owned());
            if self.0.send(Question { text, reply }).await.is_err() {
                return nobody("the client does not wait for it any more");
            }
            match tokio::time::timeout(ANSWERED_WITHIN, answer).await {
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) => nobody("the client does not wait for it any more"),
                Err(_) => nobody("nobody answered within 10 minutes"),
            }
        })
    }
}

impl Way {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let capabilities = context.client_capabilities();
        let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation);
        // Without either mode, forms are meant.
        match elicitation {
            Some(modes) if modes.form.is_some() || modes.url.is_none() => {}
            _ => return Self::None,
        }
        match context.protocol_version() {
            Some(version) if version >= ProtocolVersion::V_2026_07_28 => Self::Retry,
            _ => Self::Request,
        }
    }
}

impl Question {
    pub(super) fn answer(self, answer: Answer) {
        // The command was cancelled meanwhile if nobody listens.
        self.reply.send(answer).ok();
    }

    /// For a client that has no way to be asked.
    pub(super) fn cannot_be_asked(self) {
        let why = "the client cannot be asked: it does not offer elicitation";
        self.answer(Answer::Nobody(why.to_owned()));
    }

    /// The form for the client's user.
    pub(super) fn request(&self) -> ElicitRequest {
        let field = BooleanSchema::new()
            .title("Run it")
            .description("Whether the command may run");
        let fields = [(FIELD.to_owned(), PrimitiveSchemaDefinition::Boolean(field))];
        ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: self.text.clone(),
            requested_schema: ElicitationSchema::new(BTreeMap::from(fields))
                .with_required(vec![FIELD.to_owned()]),
        })
    }

    /// Asks the client's user and returns the answer; none if it is not wanted any more, of which
    /// the client is told.
    pub(super) async fn put_to(
        &self,
        peer: &Peer<RoleServer>,
        unwanted: impl Future<Output = ()>,
    ) -> Option<Answer> {
        let request = ServerRequest::ElicitRequest(self.request());
        let options = PeerRequestOptions::no_options();
        let asked = match peer.send_cancellable_request(request, options).await {
            Ok(asked) => asked,
            Err(error) => return Some(could_not_ask(&error)),
        };
        let id = asked.id.clone();
        tokio::select! {
            response = asked.await_response() => Some(match response {
                Ok(ClientResult::ElicitResult(result)) => answer_of(&result),
                Ok(_) => Answer::Nobody("the client answered something else".to_owned()),
                Err(error) => could_not_ask(&error),
            }),
            () = unwanted => {
                let cancelled = CancelledNotificationParam::new(Some(id), None);
                // A client that is gone asks nobody.
                peer.notify_cancelled(cancelled).await.ok();
                None
            }
        }
    }
}

fn could_not_ask(error: &ServiceError) -> Answer {
    Answer::Nobody(format!("the client could not ask: {error}"))
}

/// Yes only if the person both sent the form and ticked the field.
pub(super) fn answer_of(result: &ElicitResult) -> Answer {
    let field = result.content.as_ref().map(|content| &content[FIELD]);
    let is_ticked = field.and_then(serde_json::Value::as_bool) == Some(true);
    if result.action == ElicitationAction::Accept && is_ticked {
        Answer::Yes
    } else {
        Answer::No
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_ticked_field_in_a_form_that_was_sent_is_a_yes() {
        for (result, answer) in [
            (
                json!({"action": "accept", "content": {"run": true}}),
                Answer::Yes,
            ),
            (
                json!({"action": "accept", "content": {"run": false}}),
                Answer::No,
            ),
            (
                json!({"action": "accept", "content": {"run": "true"}}),
                Answer::No,
            ),
            (json!({"action": "accept"}), Answer::No),
            (
                json!({"action": "decline", "content": {"run": true}}),
                Answer::No,
            ),
            (json!({"action": "cancel"}), Answer::No),
        ] {
            let parsed: ElicitResult = serde_json::from_value(result.clone()).unwrap();
            assert_eq!(answer_of(&parsed), answer, "{result}");
        }
    }
}
