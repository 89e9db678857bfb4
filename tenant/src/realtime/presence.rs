//! Who has a plan open, and what they have in hand there. Screens join with their user's own session. Every replica tells
//! the others of its screens by notices; what was not heard again for a while is gone. Nothing is stored.

use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use routewright_bus::{Doing, Notice, Presence, announce};
use routewright_core::{Access, Error, OrganisationId, Result};
use routewright_identity::{Caller, Gate};
use routewright_tenancy::Tenants;
use serde::{Deserialize, Serialize};
use socketioxide::SocketIo;
use socketioxide::extract::{SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use tokio::task::AbortHandle;

use super::events::PLAN;
use super::feed::{Feeds, Place};
use super::session::{self, Handshake, Listener};
use super::sockets::Refused;

/// What whoever listens to a plan must be able to read.
const READ: Access = Access::levels(&["scenarios_read", "jobs_read"]);
/// How often a screen says again that it is open; its user's rights are looked at anew then.
const BEAT: Duration = Duration::from_secs(15);
/// Silence after which a screen counts as closed.
const SILENT: Duration = Duration::from_secs(40);
/// Shortest time between two things that a screen says it does; what comes sooner is not passed on.
const PAUSE: Duration = Duration::from_millis(100);
/// Most jobs or runs that are named as being in hand.
const MOST: usize = 50;
/// Event: who has the plan open.
const PRESENCE: &str = "presence";

/// What a screen says.
#[derive(Deserialize)]
struct Said {
    doing: Option<Doing>,
}

/// Somebody as the screens are told.
#[derive(Serialize)]
struct Person {
    user_id: i64,
    name: String,
    initials: String,
    colour: String,
    doing: Option<Doing>,
}

/// Who they are told of.
#[derive(Serialize)]
struct People {
    scenario_id: i64,
    people: Vec<Person>,
}

struct Seen {
    user: i64,
    doing: Option<Doing>,
    at: Instant,
}

/// A socket that was let in.
#[derive(Clone)]
struct Screen {
    listener: Listener,
    number: u64,
    said: Arc<Mutex<(Option<Doing>, Instant)>>,
}

/// Who has plans open, on all replicas. The sockets hold it, so it must not hold the sockets.
#[derive(Clone)]
pub(super) struct Present {
    gate: Gate,
    tenants: Tenants,
    rooms: Arc<Mutex<HashMap<Place, BTreeMap<u64, Seen>>>>,
}

impl Present {
    pub(super) fn new(gate: &Gate, tenants: &Tenants) -> Self {
        Self { gate: gate.clone(), tenants: tenants.clone(), rooms: Arc::default() }
    }

    /// Opens the namespace of the plan.
    pub(super) fn open(&self, io: &SocketIo, feeds: &Feeds) {
        let present = self.clone();
        let admit = move |socket: SocketRef, TryData(said): TryData<Handshake>| {
            let present = present.clone();
            async move {
                let handshake = said.map_err(|_| Refused(Error::bad_token().description()))?;
                let screen = present.admit(&handshake).await.map_err(|error| Refused(error.description()))?;
                socket.extensions.insert(screen);
                Ok::<(), Refused>(())
            }
        };
        let (present, feeds) = (self.clone(), feeds.clone());
        // At once, so that it misses nothing of what changes after it knows that it is connected.
        let enter = move |socket: SocketRef, io: SocketIo| {
            present.enter(&socket, &io, &feeds);
            ready(())
        };
        io.ns(PLAN, enter.with(admit));
    }

    /// A user of the organisation who may read the plan.
    async fn admit(&self, handshake: &Handshake) -> Result<Screen> {
        let (listener, _) = Listener::admit(&self.gate, &self.tenants, &READ, handshake).await?;
        Ok(Screen { listener, number: rand::random(), said: Arc::new(Mutex::new((None, Instant::now()))) })
    }

    fn enter(&self, socket: &SocketRef, io: &SocketIo, feeds: &Feeds) {
        let Some(screen) = socket.extensions.get::<Screen>() else { return };
        socket.join(screen.listener.place.room());
        feeds.enter(io, &self.gate, &self.tenants, screen.listener.place);
        let beating = self.beat(screen.clone());
        let (listener, place) = (screen.listener.clone(), screen.listener.place);
        let watching =
            session::watch(Some(listener), place.organisation, self.gate.clone(), READ, socket.clone());
        let (present, listening) = (self.clone(), screen.clone());
        socket.on("doing", move |TryData(said): TryData<Said>| {
            let (present, screen) = (present.clone(), listening.clone());
            async move {
                if let Ok(said) = said {
                    present.say(&screen, said.doing).await;
                }
            }
        });
        let (present, feeds) = (self.clone(), feeds.clone());
        socket.on_disconnect(move || {
            beating.abort();
            watching.abort();
            let (present, feeds, screen) = (present.clone(), feeds.clone(), screen.clone());
            async move {
                feeds.leave(screen.listener.place);
                present.tell(&screen, false).await;
            }
        });
    }

    /// Says again and again that a screen is open.
    fn beat(&self, screen: Screen) -> AbortHandle {
        let present = self.clone();
        let beating = tokio::spawn(async move {
            loop {
                present.tell(&screen, true).await;
                tokio::time::sleep(BEAT).await;
            }
        });
        beating.abort_handle()
    }

    /// Keeps what a screen does and tells it, not oftener than is of use.
    async fn say(&self, screen: &Screen, doing: Option<Doing>) {
        let doing = doing.map(|doing| Doing {
            job_ids: doing.job_ids.into_iter().take(MOST).collect(),
            run_ids: doing.run_ids.into_iter().take(MOST).collect(),
            ..doing
        });
        let soon = {
            let mut said = lock(&screen.said);
            let soon = said.1.elapsed() < PAUSE && doing.is_some();
            if said.0 == doing {
                return;
            }
            *said = (doing, Instant::now());
            soon
        };
        if !soon {
            self.tell(screen, true).await;
        }
    }

    async fn tell(&self, screen: &Screen, here: bool) {
        let mut presence = Presence {
            scenario: screen.listener.place.scenario,
            user: screen.listener.user,
            screen: screen.number,
            here,
            doing: lock(&screen.said).0.clone(),
            seal: String::new(),
        };
        let organisation = screen.listener.place.organisation;
        let told = async {
            presence.seal = self.gate.links.seal(&presence.sealed_text(organisation)?);
            let caller: Caller = self.gate.worker(organisation).await?;
            let mut work = self.tenants.of(&caller)?.begin().await?;
            announce(&mut work, Notice::Presence { organisation, presence }).await?;
            work.commit().await
        };
        if let Err(error) = told.await {
            tracing::debug!(%organisation, %error, "who looks at a plan cannot be told");
        }
    }

    /// Takes a notice of any replica in and tells the screens of this one.
    pub(super) fn hear(&self, io: &SocketIo, organisation: OrganisationId, presence: Presence) {
        let seal = presence.sealed_text(organisation).map(|text| self.gate.links.seal(&text));
        if seal.ok().as_ref() != Some(&presence.seal) {
            tracing::warn!(%organisation, "somebody without the key says who looks at a plan");
            return;
        }
        let place = Place { organisation, scenario: presence.scenario };
        let changed = {
            let mut rooms = lock(&self.rooms);
            let room = rooms.entry(place).or_default();
            let count = room.len();
            room.retain(|_, seen| seen.at.elapsed() < SILENT);
            let gone = room.len() < count;
            let before = room.remove(&presence.screen);
            let same = before.as_ref().is_some_and(|seen| presence.here && seen.doing == presence.doing);
            if presence.here {
                let seen = Seen { user: presence.user, doing: presence.doing, at: Instant::now() };
                room.insert(presence.screen, seen);
            }
            if room.is_empty() {
                rooms.remove(&place);
            }
            gone || !same
        };
        if changed {
            let (present, io) = (self.clone(), io.clone());
            tokio::spawn(async move { present.tell_room(&io, place).await });
        }
    }

    async fn tell_room(&self, io: &SocketIo, place: Place) {
        let Ok(policy) = self.gate.policies.of(place.organisation).await else { return };
        let people: Vec<Person> = {
            let rooms = lock(&self.rooms);
            let mut users: BTreeMap<i64, Option<Doing>> = BTreeMap::new();
            for seen in rooms.get(&place).into_iter().flat_map(BTreeMap::values) {
                let doing = users.entry(seen.user).or_default();
                *doing = doing.take().or_else(|| seen.doing.clone());
            }
            users
                .into_iter()
                .map(|(user_id, doing)| {
                    let name =
                        policy.member(user_id).map_or_else(|| "Master".to_owned(), |one| one.name.clone());
                    Person { user_id, initials: initials(&name), colour: colour(user_id), name, doing }
                })
                .collect()
        };
        let Some(namespace) = io.of(PLAN) else { return };
        let told = People { scenario_id: place.scenario, people };
        if let Err(error) = namespace.to(place.room()).emit(PRESENCE, &told).await {
            tracing::debug!(organisation = %place.organisation, %error, "not every screen was told who is there");
        }
    }
}

/// First letters of the first and the last name.
fn initials(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let ends = if words.len() > 1 { vec![words.first(), words.last()] } else { vec![words.first()] };
    ends.into_iter().flatten().filter_map(|word| word.chars().next()).flat_map(char::to_uppercase).collect()
}

/// A colour that stays with the user; white text can be read on it.
fn colour(user: i64) -> String {
    const COLOURS: [&str; 8] =
        ["#1565c0", "#2e7d32", "#6a1b9a", "#ad1457", "#00695c", "#4e342e", "#bf360c", "#37474f"];
    let at = usize::try_from(user.rem_euclid(8)).unwrap_or_default();
    COLOURS.get(at).copied().unwrap_or(COLOURS[0]).to_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_on_a_screen() {
        assert_eq!([initials("Ana Maria Sousa"), initials("rui"), initials("")], ["AS", "R", ""]);
        assert_eq!(colour(9), colour(1));
    }
}
