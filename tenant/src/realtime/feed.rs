//! Events on their way to this replica's sockets: one task per organisation that has any, so that order is kept within
//! an organisation and none waits for another.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;
use routewright_core::{OrganisationId, Result};
use routewright_identity::Gate;
use routewright_tenancy::Tenants;
use socketioxide::SocketIo;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::events::{self, Event, PLAN, Told};

/// Events that are remembered as told, and how far back is looked for others: a transaction that commits late has a
/// smaller number than those that were told already.
const REMEMBERED: usize = 512;

/// What a feed is asked to do.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ask {
    /// Tell this event.
    Event(i64),
    /// Look for events that were missed.
    CatchUp,
}

struct Feed {
    asks: UnboundedSender<Ask>,
    scenarios: Arc<Mutex<BTreeMap<i64, usize>>>,
}

/// The feeds of this replica.
#[derive(Clone, Default)]
pub(super) struct Feeds(Arc<DashMap<i64, Feed>>);

impl Feeds {
    /// Counts a socket in, and starts the feed with the organisation's first one.
    pub(super) fn enter(&self, io: &SocketIo, gate: &Gate, tenants: &Tenants, at: Place) {
        let feed = self.0.entry(at.organisation.get()).or_insert_with(|| {
            let (asks, asked) = mpsc::unbounded_channel();
            let scenarios = Arc::default();
            let teller = Teller {
                io: io.clone(),
                gate: gate.clone(),
                tenants: tenants.clone(),
                organisation: at.organisation,
                scenarios: Arc::clone(&scenarios),
                told: VecDeque::new(),
                newest: 0,
            };
            tokio::spawn(teller.run(asked));
            Feed { asks, scenarios }
        });
        *lock(&feed.scenarios).entry(at.scenario).or_default() += 1;
    }

    /// Counts a socket out; the feed ends with the last one.
    pub(super) fn leave(&self, at: Place) {
        self.0.remove_if(&at.organisation.get(), |_, feed| {
            let mut scenarios = lock(&feed.scenarios);
            if let Some(count) = scenarios.get_mut(&at.scenario) {
                *count -= 1;
                if *count == 0 {
                    scenarios.remove(&at.scenario);
                }
            }
            scenarios.is_empty()
        });
    }

    /// Asks an organisation's feed, if there is one here.
    pub(super) fn ask(&self, organisation: OrganisationId, ask: Ask) {
        if let Some(feed) = self.0.get(&organisation.get()) {
            // Fails when the feed is just ending, with nobody left to be told.
            feed.asks.send(ask).unwrap_or_default();
        }
    }

    /// Asks all feeds.
    pub(super) fn ask_all(&self, ask: Ask) {
        for feed in self.0.iter() {
            feed.asks.send(ask).unwrap_or_default();
        }
    }
}

/// Where a socket belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) organisation: OrganisationId,
    pub(super) scenario: i64,
}

impl Place {
    /// Name of the room.
    pub(super) fn room(self) -> String {
        format!("{}/{}", self.organisation, self.scenario)
    }

    /// Name of the room of those who may read proofs.
    pub(super) fn room_of_proofs(self) -> String {
        format!("{}/proofs", self.room())
    }
}

struct Teller {
    io: SocketIo,
    gate: Gate,
    tenants: Tenants,
    organisation: OrganisationId,
    scenarios: Arc<Mutex<BTreeMap<i64, usize>>>,
    told: VecDeque<i64>,
    newest: i64,
}

impl Teller {
    async fn run(mut self, mut asked: UnboundedReceiver<Ask>) {
        match self.begin().await {
            Ok(newest) => self.newest = newest,
            Err(error) => {
                tracing::warn!(organisation = %self.organisation, %error, "events cannot be read");
            }
        }
        while let Some(ask) = asked.recv().await {
            if let Err(error) = self.answer(ask).await {
                tracing::warn!(organisation = %self.organisation, %error, "events cannot be told");
            }
        }
    }

    async fn begin(&self) -> Result<i64> {
        let caller = self.gate.worker(self.organisation).await?;
        let mut work = self.tenants.of(&caller)?.begin().await?;
        let newest = events::newest(&mut work).await?;
        work.commit().await?;
        Ok(newest)
    }

    async fn answer(&mut self, ask: Ask) -> Result<()> {
        let caller = self.gate.worker(self.organisation).await?;
        let mut work = self.tenants.of(&caller)?.begin().await?;
        let found = match ask {
            Ask::Event(id) => events::find(&mut work, id).await?.into_iter().collect(),
            Ask::CatchUp => {
                let scenarios: Vec<i64> = lock(&self.scenarios).keys().copied().collect();
                let back = i64::try_from(REMEMBERED / 2).unwrap_or_default();
                let after = self
                    .told
                    .iter()
                    .copied()
                    .min()
                    .map_or(self.newest, |oldest| oldest.max(self.newest - back));
                events::since(&mut work, after, &scenarios).await?
            }
        };
        work.commit().await?;
        for event in found {
            self.tell(&event).await;
        }
        Ok(())
    }

    /// Name of a member; people who have left have none.
    async fn name(&self, user: i64) -> Option<String> {
        let policy = self.gate.policies.of(self.organisation).await.ok()?;
        policy.member(user).map(|member| member.name.clone())
    }

    async fn tell(&mut self, event: &Told) {
        if self.told.contains(&event.id) {
            return;
        }
        self.told.push_back(event.id);
        if self.told.len() > REMEMBERED {
            self.told.pop_front();
        }
        self.newest = self.newest.max(event.id);
        let place = Place { organisation: self.organisation, scenario: event.scenario_id };
        let mut payload = event.payload.clone();
        if event.namespace == PLAN
            && let Some(user) = payload["user_id"].as_i64()
        {
            payload["actor"] = self.name(user).await.into();
        }
        let Some(namespace) = self.io.of(event.namespace.as_str()) else { return };
        let of_proofs = [Event::Proof, Event::ProofUpdate].iter().any(|one| one.name() == event.name);
        let room = if of_proofs { place.room_of_proofs() } else { place.room() };
        if let Err(error) = namespace.to(room).emit(event.name.as_str(), &payload).await {
            // A socket whose buffer is full is dropped by the library and reloads when it comes back.
            tracing::debug!(organisation = %self.organisation, %error, "an event did not reach every socket");
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
