//! The one list of nouns. A noun may call nouns above it, through their `mod.rs`; never those below, never their SQL.

use routewright_core::Routes;

use crate::app::App;
use crate::{settings, tags};

/// All routes of the service.
pub fn table() -> Routes<App> {
    Routes::new()
        // settings and vocabularies
        .merge(settings::routes())
        .merge(tags::routes())
    // places and fleet
    // scenarios, jobs and what hangs on them
    // runs and the plan
    // execution: dispatch, run sheets, proofs, tracking
    // afterwards: validation, costing, exports, partners
}
