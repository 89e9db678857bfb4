//! Phones' apps and trackers in vehicles that send positions by themselves, each with a key of its own: by the protocol of
//! OsmAnd and Traccar, or by that of OwnTracks. What they send goes to the run that their driver or vehicle drives at that
//! time; beyond it nobody is followed: such points count as a sign of life, and are not kept.

mod key;
mod model;
mod osmand;
mod owntracks;
mod receive;
mod rule;
mod sent;

use routewright_core::{Access, Link, Routes};
use routewright_tenancy::resource::{self, Crud};

use crate::app::App;
use model::TrackingDevice;

const READ: Access = Access::levels(&["vehicles_read"]);
const WRITE: Access = Access::levels(&["vehicles_write"]);
const DEVICE: Access = Access::link(Link::Device);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<TrackingDevice, App>(Crud { read: READ, write: WRITE, delete: WRITE })
        // Answers to a PUT are not kept for a second one: the key is nowhere but in this answer.
        .put("/tracking_devices/{id}/key", WRITE, key::make)
        .delete("/tracking_devices/{id}/key", WRITE, key::revoke)
        .get("/positions/osmand/{token}", DEVICE, osmand::asked)
        .post("/positions/osmand/{token}", DEVICE, osmand::sent)
        .post("/positions/owntracks/{token}", DEVICE, owntracks::sent)
}
