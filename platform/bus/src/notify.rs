//! Short notices between processes, by Postgres' LISTEN and NOTIFY.
//!
//! A notice says where to look, never what is there: it carries ids only, because every login of the database can
//! listen, and every login can send: a subscriber takes it as a hint and looks for itself. Who looks at a plan is said in ids
//! too; nothing of it is stored anywhere, so that this notice bears a seal. It is sent when its transaction commits and lost when nobody listens, so a subscriber must be able to
//! find out by itself what it missed; [`Notice::Resynchronise`] tells it when to.

use std::time::Duration;

use rand::Rng as _;
use routewright_core::{OrganisationId, Result};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::broadcast;
use tokio::task::JoinSet;

/// The one channel; every database has its own.
pub const CHANNEL: &str = "routewright";

/// Notices that a subscriber may fall behind before it has to resynchronise.
const BACKLOG: usize = 4096;
/// Silence after which the connection is tested.
const TEST_AFTER: Duration = Duration::from_secs(20);
/// Longest wait for the answer to that test, and for a connection.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Shortest and longest pause before connecting again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// Something has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Wire", from = "Wire")]
pub enum Notice {
    /// A job was queued; without an organisation it is the platform's own.
    Job {
        /// Whose queue.
        organisation: Option<OrganisationId>,
    },
    /// Roles, modules, settings, state or placement of an organisation have changed.
    Policy {
        /// The organisation.
        organisation: OrganisationId,
    },
    /// A row was added to an organisation's `events`.
    Event {
        /// The organisation.
        organisation: OrganisationId,
        /// The row.
        event_id: i64,
    },
    /// A message was put into the outbox; without an organisation it is the platform's own.
    Message {
        /// Whose outbox.
        organisation: Option<OrganisationId>,
    },
    /// Somebody looks at a plan, or no longer.
    Presence {
        /// The organisation.
        organisation: OrganisationId,
        /// Who, and what he does there.
        presence: Presence,
    },
    /// Notices may have been missed: look everywhere.
    Resynchronise,
}

/// Somebody who has a plan open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The plan's scenario.
    pub scenario: i64,
    /// The user.
    pub user: i64,
    /// The open screen; one user may have several.
    pub screen: u64,
    /// Whether it is still open.
    pub here: bool,
    /// What is done there.
    pub doing: Option<Doing>,
    /// Shows that a service said so: this notice is believed as it is, and every login of the database can send one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seal: String,
}

impl Presence {
    /// What its seal is made of.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn sealed_text(&self, organisation: OrganisationId) -> Result<String> {
        Ok(serde_json::to_string(&(organisation, Self { seal: String::new(), ..self.clone() }))?)
    }
}

/// What somebody has in hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doing {
    /// How.
    pub kind: DoingKind,
    /// Jobs.
    #[serde(default)]
    pub job_ids: Vec<i64>,
    /// Runs.
    #[serde(default)]
    pub run_ids: Vec<i64>,
}

/// How somebody has something in hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoingKind {
    /// It is being moved.
    Dragging,
    /// Its fields are open.
    Editing,
}

/// The form on the channel: one key, one value.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Wire {
    Job(Option<OrganisationId>),
    Policy(OrganisationId),
    Event(OrganisationId, i64),
    Message(Option<OrganisationId>),
    Presence(OrganisationId, Presence),
    Resynchronise,
}

impl From<Notice> for Wire {
    fn from(notice: Notice) -> Self {
        match notice {
            Notice::Job { organisation } => Self::Job(organisation),
            Notice::Policy { organisation } => Self::Policy(organisation),
            Notice::Event { organisation, event_id } => Self::Event(organisation, event_id),
            Notice::Message { organisation } => Self::Message(organisation),
            Notice::Presence { organisation, presence } => Self::Presence(organisation, presence),
            Notice::Resynchronise => Self::Resynchronise,
        }
    }
}

impl From<Wire> for Notice {
    fn from(wire: Wire) -> Self {
        match wire {
            Wire::Job(organisation) => Self::Job { organisation },
            Wire::Policy(organisation) => Self::Policy { organisation },
            Wire::Event(organisation, event_id) => Self::Event { organisation, event_id },
            Wire::Message(organisation) => Self::Message { organisation },
            Wire::Presence(organisation, presence) => Self::Presence { organisation, presence },
            Wire::Resynchronise => Self::Resynchronise,
        }
    }
}

/// Sends a notice when the connection's transaction commits, and never when it rolls back. Equal notices of one
/// transaction arrive once.
///
/// # Errors
/// When the database fails.
pub async fn announce(connection: &mut PgConnection, notice: Notice) -> Result<()> {
    sqlx::query("select pg_notify($1, $2)")
        .bind(CHANNEL)
        .bind(serde_json::to_string(&notice)?)
        .execute(connection)
        .await?;
    Ok(())
}

/// Hears the notices of one or several databases for as long as it lives, whatever happens to the connections.
#[derive(Debug)]
pub struct Listener {
    sender: broadcast::Sender<Notice>,
    // Dropped with the listener, which ends the tasks.
    _tasks: JoinSet<()>,
}

impl Listener {
    /// Starts listening to each database. Does not wait for the connections: [`Notice::Resynchronise`] tells when
    /// one is made, the first time as well as after every interruption.
    ///
    /// Must be called within a Tokio runtime.
    #[must_use]
    pub fn start(databases: impl IntoIterator<Item = PgConnectOptions>) -> Self {
        let (sender, _) = broadcast::channel(BACKLOG);
        let mut tasks = JoinSet::new();
        for database in databases {
            tasks.spawn(listen(database.application_name("routewright listener"), sender.clone()));
        }
        Self { sender, _tasks: tasks }
    }

    /// Notices from now on.
    #[must_use]
    pub fn subscribe(&self) -> Notices {
        Notices(self.sender.subscribe())
    }
}

/// A subscriber's notices.
#[derive(Debug)]
pub struct Notices(broadcast::Receiver<Notice>);

impl Notices {
    /// The next notice; none when the listener is gone. A subscriber that fell too far behind gets
    /// [`Notice::Resynchronise`] instead of what it missed.
    pub async fn next(&mut self) -> Option<Notice> {
        match self.0.recv().await {
            Ok(notice) => Some(notice),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(Notice::Resynchronise),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    /// Calls `look` whenever policies may have changed, for the life of the listener.
    pub async fn policies(mut self, look: impl Fn()) {
        while let Some(notice) = self.next().await {
            if matches!(notice, Notice::Policy { .. } | Notice::Resynchronise) {
                look();
            }
        }
    }
}

async fn listen(database: PgConnectOptions, sender: broadcast::Sender<Notice>) {
    let mut pause = PAUSE.0;
    loop {
        match connect(&database).await {
            Ok(listener) => {
                pause = PAUSE.0;
                tell(&sender, Notice::Resynchronise);
                let reason = hear(listener, &sender).await;
                tracing::warn!(reason, host = database.get_host(), "connection for notices was lost");
            }
            Err(error) => {
                tracing::warn!(%error, host = database.get_host(), "no connection for notices");
            }
        }
        // Not all processes at the same moment.
        let spread = rand::rng().random_range(0.5..1.0);
        tokio::time::sleep(pause.mul_f64(spread)).await;
        pause = (pause * 2).min(PAUSE.1);
    }
}

async fn connect(database: &PgConnectOptions) -> Result<PgListener, sqlx::Error> {
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(ANSWER_WITHIN)
        .max_lifetime(None)
        .idle_timeout(None)
        .connect_with(database.clone())
        .await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    // Every loss has to be told to the subscribers, so it is made good in `listen` only.
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// Passes notices on until the connection is lost; answers why.
async fn hear(mut listener: PgListener, sender: &broadcast::Sender<Notice>) -> String {
    loop {
        match tokio::time::timeout(TEST_AFTER, listener.try_recv()).await {
            Ok(Ok(Some(notification))) => match serde_json::from_str(notification.payload()) {
                Ok(notice) => tell(sender, notice),
                // A newer release may say more than this one understands.
                Err(error) => tracing::debug!(%error, "notice is not understood"),
            },
            Ok(Ok(None)) => return "closed".to_owned(),
            Ok(Err(error)) => return error.to_string(),
            // A peer that vanished without a word is noticed only by asking it.
            Err(_) => {
                let test = sqlx::query("select 1").execute(&mut listener);
                match tokio::time::timeout(ANSWER_WITHIN, test).await {
                    Ok(Ok(_)) => {}
                    Ok(Err(error)) => return error.to_string(),
                    Err(_) => return "no answer".to_owned(),
                }
            }
        }
    }
}

fn tell(sender: &broadcast::Sender<Notice>, notice: Notice) {
    // Fails when nobody subscribes at the moment, which is nobody's loss.
    drop(sender.send(notice));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_short_and_survive_the_channel() {
        let organisation = OrganisationId::new(5);
        for (notice, text) in [
            (Notice::Job { organisation: Some(organisation) }, r#"{"job":5}"#),
            (Notice::Job { organisation: None }, r#"{"job":null}"#),
            (Notice::Policy { organisation }, r#"{"policy":5}"#),
            (Notice::Event { organisation, event_id: 77 }, r#"{"event":[5,77]}"#),
            (Notice::Message { organisation: Some(organisation) }, r#"{"message":5}"#),
            (
                Notice::Presence {
                    organisation,
                    presence: Presence {
                        scenario: 7,
                        user: 3,
                        screen: 9,
                        here: true,
                        doing: None,
                        seal: String::new(),
                    },
                },
                r#"{"presence":[5,{"scenario":7,"user":3,"screen":9,"here":true,"doing":null}]}"#,
            ),
            (Notice::Resynchronise, r#""resynchronise""#),
        ] {
            assert_eq!(serde_json::to_string(&notice).unwrap(), text);
            assert_eq!(serde_json::from_str::<Notice>(text).unwrap(), notice);
        }
    }
}
