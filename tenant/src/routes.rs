//! The one list of nouns. A noun may call nouns above it, through their `mod.rs`; never those below, never their SQL.
//! Two have no routes and stand above all that change plans: `realtime` (events) and `plan` (the door of every plan).

use routewright_core::Routes;

use crate::app::App;
use crate::{billing_rates, bulk_upload, checklists, clients, constraints_check, containers, dispatch, documents, drivers, files, gps, imports, information, jobs, location_options, locations, map, moves, optimise, proofs, qr_codes, reasons, returns, runs, runsheet, scenario_reasons, scenarios, settings, tags, territories, units, vehicles, whole_jobs,
};

/// All routes of the service.
pub fn table() -> Routes<App> {
    Routes::new()
        // settings and vocabularies
        .merge(settings::routes())
        .merge(tags::routes())
        .merge(reasons::routes())
        .merge(scenario_reasons::routes())
        .merge(files::routes())
        .merge(information::routes())
        .merge(map::routes())
        // places and fleet
        .merge(locations::routes())
        .merge(clients::routes())
        .merge(location_options::routes())
        .merge(billing_rates::routes())
        .merge(vehicles::routes())
        .merge(drivers::routes())
        .merge(territories::routes())
        // scenarios, jobs and what hangs on them
        .merge(scenarios::routes())
        .merge(jobs::routes())
        .merge(units::routes())
        .merge(returns::routes())
        .merge(containers::routes())
        .merge(whole_jobs::routes())
        .merge(imports::routes())
        // runs and the plan
        .merge(runs::routes())
        .merge(moves::routes())
        .merge(optimise::routes())
        .merge(constraints_check::routes())
        // execution
        .merge(checklists::routes())
        .merge(gps::routes())
        .merge(proofs::routes())
        .merge(documents::routes())
        .merge(dispatch::routes())
        .merge(runsheet::routes())
        .merge(qr_codes::routes())
        .merge(bulk_upload::routes())
}
