//! Who may listen: whoever knows a scenario's `ws_token`, and people of the organisation with their own session.

use std::future::ready;

use routewright_bus::{Notice, Notices};
use routewright_core::error::{BAD_TOKEN, Kind};
use routewright_core::{Access, Error, Link, Result};
use routewright_identity::Gate;
use routewright_tenancy::Tenants;
use routewright_tenancy::guesses::Guesses;
use socketioxide::extract::{SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use socketioxide::layer::SocketIoLayer;
use socketioxide::{SocketIo, TransportType};

use super::events::{OPTIMISATION, TRACKING};
use super::feed::{Ask, Feeds, Place};
use super::presence::Present;
use super::session::{self, Handshake, Listener};

/// Largest message a client may send; it has little to say.
const LARGEST: usize = 16 * 1024;

/// What whoever listens with his own session must be able to read.
const READ: Access = Access::levels(&["scenarios_read", "jobs_read", "runs_read"]);

/// Where a socket listens.
#[derive(Clone)]
struct Seat {
    place: Place,
    /// Whether proofs are told too.
    proofs: bool,
    /// Who it is, if he joined with his own session.
    listener: Option<Listener>,
}

/// The sockets of this replica.
#[derive(Clone)]
pub struct Sockets {
    io: SocketIo,
    feeds: Feeds,
    present: Present,
}

/// Why a socket was refused; its text reaches the client.
#[derive(Debug)]
pub(super) struct Refused(pub(super) String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Sockets {
    /// Opens both namespaces. The layer answers `/socket.io/` and lets everything else pass.
    #[must_use]
    pub fn open(gate: &Gate, tenants: &Tenants, guesses: &Guesses) -> (SocketIoLayer, Self) {
        let (layer, io) = SocketIo::builder()
            .transports([TransportType::Websocket])
            .ws_max_message_size(LARGEST)
            .ws_max_frame_size(LARGEST)
            .max_buffer_size(1024)
            .build_layer();
        let sockets = Self { feeds: Feeds::default(), present: Present::new(gate, tenants), io: io.clone() };
        for namespace in [TRACKING, OPTIMISATION] {
            sockets.open_namespace(&io, namespace, gate, tenants, guesses);
        }
        sockets.present.open(&io, &sockets.feeds);
        (layer, sockets)
    }

    fn open_namespace(
        &self,
        io: &SocketIo,
        namespace: &'static str,
        gate: &Gate,
        tenants: &Tenants,
        guesses: &Guesses,
    ) {
        let door = (gate.clone(), tenants.clone(), guesses.clone());
        let admit = move |socket: SocketRef, TryData(said): TryData<Handshake>| {
            let (gate, tenants, guesses) = door.clone();
            async move {
                if let Ok(handshake) = said {
                    let seat = own_session(&gate, &tenants, &handshake).await;
                    socket.extensions.insert(seat.map_err(|error| Refused(error.description()))?);
                    return Ok(());
                }
                let address = guesses.address(socket.req_parts());
                let seat = match guesses.admit(&address) {
                    Ok(()) => admit(&gate, &tenants, &socket).await,
                    Err(error) => Err(error),
                };
                let seat = match seat {
                    Err(error) if error.kind() == Kind::Unauthorized => {
                        let tried = socket.req_parts().uri.query().unwrap_or_default();
                        Err(guesses.wrong(&address, tried).await.err().unwrap_or(error))
                    }
                    seat => seat,
                };
                socket.extensions.insert(seat.map_err(|error| Refused(error.description()))?);
                Ok::<(), Refused>(())
            }
        };
        let (gate, tenants, feeds) = (gate.clone(), tenants.clone(), self.feeds.clone());
        // At once, so that it misses nothing of what is told after it knows that it is connected.
        let enter = move |socket: SocketRef, io: SocketIo| {
            if let Some(Seat { place, proofs, listener }) = socket.extensions.get::<Seat>() {
                socket.join(place.room());
                if proofs {
                    socket.join(place.room_of_proofs());
                }
                feeds.enter(&io, &gate, &tenants, place);
                let watching =
                    session::watch(listener, place.organisation, gate.clone(), READ, socket.clone());
                let feeds = feeds.clone();
                socket.on_disconnect(move || {
                    watching.abort();
                    let feeds = feeds.clone();
                    async move { feeds.leave(place) }
                });
            }
            ready(())
        };
        io.ns(namespace, enter.with(admit));
    }

    /// Passes the bus's notices of events on to the sockets, for the life of the process.
    pub async fn follow(self, mut notices: Notices) {
        while let Some(notice) = notices.next().await {
            match notice {
                Notice::Event { organisation, event_id } => {
                    self.feeds.ask(organisation, Ask::Event(event_id))
                }
                Notice::Presence { organisation, presence } => {
                    self.present.hear(&self.io, organisation, presence)
                }
                Notice::Resynchronise => self.feeds.ask_all(Ask::CatchUp),
                _ => {}
            }
        }
    }
}

/// The scenario that a user has open. Hauliers' people see their own runs only, and what is told is not told by run.
async fn own_session(gate: &Gate, tenants: &Tenants, handshake: &Handshake) -> Result<Seat> {
    let (listener, caller) = Listener::admit(gate, tenants, &READ, handshake).await?;
    if caller.haulier_id().is_some() {
        return Err(Error::denied());
    }
    let proofs = caller.holds("proofs_read");
    Ok(Seat { place: listener.place, proofs, listener: Some(listener) })
}

/// The scenario that the socket's token opens.
async fn admit(gate: &Gate, tenants: &Tenants, socket: &SocketRef) -> Result<Seat> {
    let refused = || Error::new(Kind::Unauthorized, BAD_TOKEN);
    let query = socket.req_parts().uri.query().unwrap_or_default();
    let token = form(query, "ws_token").ok_or_else(refused)?;
    let caller = gate.link(Link::Scenario, &token).await?;
    let mut work = tenants.of(&caller)?.begin().await?;
    let scenario: Option<i64> = sqlx::query_scalar("select id from scenarios where ws_token = $1")
        .bind(&token)
        .fetch_optional(&mut *work)
        .await?;
    work.commit().await?;
    let place = Place { organisation: caller.organisation()?, scenario: scenario.ok_or_else(refused)? };
    Ok(Seat { place, proofs: true, listener: None })
}

/// A parameter of a query string. Tokens are letters and digits, so nothing needs decoding.
fn form(query: &str, name: &str) -> Option<String> {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
}
