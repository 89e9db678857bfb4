//! Searching jobs, runs, units, returns and containers of all scenarios (S-31), and exporting what was found (S-30).

mod containers;
mod export;
mod jobs;
mod jobs_export;
mod proofs;
mod returns;
mod runs;
mod units;

pub(crate) use export::{check, file_name, table};

use routewright_core::list::Filter;
use routewright_core::{Access, Module, Routes};

use crate::app::App;

const JOBS: Access = Access::levels(&["job_search_view"]);
const JOBS_EXPORT: Access = Access::levels(&["job_search_view", "excel_export"]);
const CHOSEN_JOBS: Access = Access::levels(&["jobs_read", "excel_export"]);
const PROOFS: Access = Access::levels(&["jobs_read", "proofs_read"]);
const RUNS: Access = Access::levels(&["run_search_view"]);
const RUNS_EXPORT: Access = Access::levels(&["run_search_view", "excel_export"]);
const UNITS: Access = Access::levels(&["unit_search_view"]).module(Module::Units);
const UNITS_EXPORT: Access = Access::levels(&["unit_search_view", "excel_export"]).module(Module::Units);
const RETURNS_EXPORT: Access = Access::levels(&["returns_read", "excel_export"]).module(Module::Returns);

/// The filter that jobs and runs derive from several columns, for the API document.
const STATUS: &[Filter] = &[Filter::choice("status", "")];

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/search/jobs", JOBS, jobs::SHAPE.filters.iter().chain(STATUS), jobs::search)
        .get("/search/jobs/export", JOBS_EXPORT, export::jobs)
        .post("/jobs/excel_export", CHOSEN_JOBS, export::chosen)
        .list("/jobs/search_pod", PROOFS, proofs::SHAPE.filters, proofs::search)
        .list("/search/runs", RUNS, runs::SHAPE.filters.iter().chain(STATUS), runs::search)
        .get("/search/runs/export", RUNS_EXPORT, export::runs)
        .list("/search/units", UNITS, units::SHAPE.filters, units::search)
        .get("/search/units/export", UNITS_EXPORT, export::units)
        .list("/search/returns", crate::orders::returns::READ, returns::SHAPE.filters, returns::search)
        .get("/search/returns/export", RETURNS_EXPORT, export::returns)
        .list(
            "/search/containers",
            crate::orders::containers::READ,
            containers::SHAPE.filters,
            containers::search,
        )
}
