//! The state that handlers and background jobs share. It names no noun; [`crate::service`] puts it together.

use std::sync::Arc;

use routewright_core::Clock;
use routewright_core::config::Deployment;
use routewright_governor::Governor;
use routewright_identity::Gate;
use routewright_messaging::PostOffice;
use routewright_roads::{Geocoder, Roads};
use routewright_storage::Storage;
use routewright_tenancy::Tenants;
use routewright_tenancy::guesses::Guesses;

use crate::config::Config;
use crate::drawn::Drawn;
use crate::realtime::Sockets;
use crate::solvers::Solvers;

/// What handlers and background jobs work with. Cheap to clone; one per process.
#[derive(Clone)]
pub struct App {
    /// The deployment.
    pub deployment: Arc<Deployment>,
    /// Verifies callers, issues run sheet and file tokens, makes link tokens.
    pub gate: Gate,
    /// Counts wrong tokens of links.
    pub(crate) guesses: Guesses,
    /// Organisations' data.
    pub tenants: Tenants,
    /// Files.
    pub storage: Storage,
    /// Travel times.
    pub roads: Arc<dyn Roads>,
    /// Addresses.
    pub geocoder: Arc<dyn Geocoder>,
    /// The way out for mails and text messages.
    pub post: PostOffice,
    /// Heavy work of this process.
    pub governor: Governor,
    /// Documents drawn of late.
    pub drawn: Drawn,
    /// Turns of optimisations at this process's processors.
    pub solvers: Solvers,
    /// Sockets that are connected to this process.
    pub sockets: Sockets,
    /// The time.
    pub clock: Clock,
    /// The configuration, for what only one noun needs.
    pub config: Arc<Config>,
}
