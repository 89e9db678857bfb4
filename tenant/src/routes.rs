//! The one list of nouns. A noun may call nouns above it, through their `mod.rs`; never those below, never their SQL.
//! Two have no routes and stand above all that change plans: `realtime` (events) and `plan` (the door of every plan).

use routewright_core::Routes;

use crate::app::App;
use crate::{
    billing_rates, bulk_upload, checklists, clients, config_values, constraints_check, containers, dashboard,
    dispatch, documents, drivers, exports, filename_regex, files, gps, imports, information, jobs, labels,
    location_options, locations, map, moves, optimise, proofs, qr_codes, reasons, returns, run_code_maps,
    runs, runsheet, scenario_copies, scenario_reasons, scenarios, search, secrets, settings, tags,
    territories, tracking, tutorial, udf, units, validation, vehicles, whole_jobs,
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
        .merge(secrets::routes())
        .merge(udf::routes())
        .merge(filename_regex::routes())
        .merge(map::routes())
        // places and fleet
        .merge(locations::routes())
        .merge(clients::routes())
        .merge(location_options::routes())
        .merge(billing_rates::routes())
        .merge(vehicles::routes())
        .merge(config_values::routes())
        .merge(drivers::routes())
        .merge(run_code_maps::routes())
        .merge(territories::routes())
        // scenarios, jobs and what hangs on them
        .merge(scenarios::routes())
        .merge(jobs::routes())
        .merge(units::routes())
        .merge(returns::routes())
        .merge(containers::routes())
        .merge(whole_jobs::routes())
        .merge(imports::routes())
        .merge(bulk_upload::routes())
        .merge(tutorial::routes())
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
        .merge(tracking::routes())
        .merge(validation::routes())
        .merge(dashboard::routes())
        .merge(scenario_copies::routes())
        // execution: dispatch, run sheets, proofs, tracking
        .merge(labels::routes())
        // afterwards: validation, costing, exports, partners
        .merge(search::routes())
        .merge(exports::routes())
}
