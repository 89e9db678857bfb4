//! The changes of a plan one after the other, with what each must tell; and the routes that change none.

mod orders;
mod road;

use routewright_testing::calls::Call;
use serde_json::Value;

/// Who causes a change.
#[derive(Debug, Clone, Copy)]
pub(super) enum By {
    Planner,
    Colleague,
    /// The driver of ana, in his session.
    Driver,
    /// Whoever has the run sheet's link.
    Sheet,
    /// Whoever has a tracking link.
    Customer,
}

/// One change.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) what: &'static str,
    pub(super) by: By,
    pub(super) call: Call,
    /// What later steps refer to: name and place in the answer.
    pub(super) keeps: &'static [(&'static str, &'static str)],
    /// Names of the jobs, runs and removed ones that `/changes` must hold, and its marks.
    pub(super) tells: Value,
}

impl Step {
    fn keeps(self, keeps: &'static [(&'static str, &'static str)]) -> Self {
        Self { keeps, ..self }
    }

    fn by(self, by: By) -> Self {
        Self { by, ..self }
    }
}

/// A call of the planner.
fn step(what: &'static str, method: &str, target: &str, body: Value, tells: Value) -> Step {
    let call = Call::new(method, target);
    let call = if body.is_null() { call } else { call.with(&body) };
    Step { what, by: By::Planner, call, keeps: &[], tells }
}

/// All of them, in the order of a day.
pub(super) fn steps() -> Vec<Step> {
    [
        orders::jobs(),
        orders::moves(),
        orders::pool(),
        orders::items(),
        road::runs(),
        road::plans(),
        road::road(),
        road::afterwards(),
    ]
    .concat()
}

/// Whether a route changes nothing that an open plan shows: what an organisation sets, its places, people and vehicles,
/// other plans and the pool, files, checklists, and what partners are sent.
pub(super) fn quiet(path: &str) -> bool {
    const NOUNS: [&str; 25] = [
        "reasons",
        "scenario_reasons",
        "files",
        "secrets",
        "udf",
        "filename_regex",
        "checklist",
        "locations",
        "clients",
        "billing_rates",
        "vehicles",
        "tracking_devices",
        "config_values",
        "drivers",
        "gefco",
        "territories",
        "territory_groups",
        "containers",
        "organisations",
        "excel_exports",
        "auth",
        "search",
        "tags",
        "location_options",
        "map",
    ];
    const ROUTES: [&str; 33] = [
        // As for one of them.
        "/container_proofs/bulk",
        // What a restored job tells is held in `bin`.
        "/bin/{id}/restore",
        // Puts aside what no plan shows.
        "/evidence/{id}/dismiss",
        "/runs/{id}/bill/dismiss",
        // Needs a difference; what becomes of it is held in `bills`.
        "/runs/{id}/bill/accept",
        "/scenarios",
        "/scenarios/advanced",
        "/scenarios/{id}/duplicate",
        "/scenarios/{id}/create_fixed_runs",
        "/scenarios/{id}/all_purpose_transport_send_to_sftp",
        // The way into the pool and out of it in one, which are steps.
        "/jobs/move_to_day",
        // Likewise, as the customer asked; held in `slots`.
        "/reschedule_requests/{id}/accept",
        // A move of the same runs back, which is a step; held in `undo`.
        "/scenarios/{id}/undo",
        "/scenarios/{id}/redo",
        "/jobs/read_file",
        "/jobs/look_up_addresses",
        // Moves jobs as a change of their location does; what it tells is held in `addresses`.
        "/addresses_to_confirm/confirm",
        "/jobs/excel_export",
        "/units/copy_to_pool",
        "/returns/copy_to_pool",
        "/v2/runsheet/checklist_submissions",
        "/v2/runsheet/upload/file",
        // What the driver knows of the plan is no part of it.
        "/v2/runsheet/contact",
        // Compares.
        "/v2/runsheet/pin",
        // A position has an event of its own; estimates that it changes are a step.
        "/v2/runsheet/gps_points",
        "/positions/osmand/{token}",
        "/positions/owntracks/{token}",
        // Of a run sheet it is a step as its dispatch is.
        "/messages/{id}/arrived",
        "/messages/{id}/send_again",
        // Ends a task, which is a step as its begin is.
        "/optimise/background/scenarios/{id}",
        "/scenarios/templates",
        "/scenarios/templates/bulk",
        "/scenarios/templates/{id}",
    ];
    let noun = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    NOUNS.contains(&noun) || ROUTES.contains(&path)
}
