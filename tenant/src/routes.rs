//! The one list of nouns, wing by wing. A noun may call nouns above it, through their `mod.rs`; never those below, never
//! their SQL. The plan has no routes; its one door stands between `fleet` and `orders`.

use routewright_core::Routes;
use routewright_tenancy::Telling;

use crate::afterwards::{bin, exports, forwarder, kpi, partners, run_costs, search, trail};
use crate::app::App;
use crate::execution::{
    contact, devices, dispatch, documents, evidence, filing, gps, messages, progress, proofs, qr_codes,
    runsheet, seals, tracking, validation,
};
use crate::fleet::{
    billing_rates, clients, config_values, drivers, location_options, locations, run_code_maps, territories,
    vehicles,
};
use crate::orders::{
    addresses, bulk_upload, containers, imports, jobs, labels, returns, tutorial, units, whole_jobs,
};
use crate::planning::{
    changes, constraints_check, dashboard, diagnosis, moves, optimise, runs, scenario_copies, scenarios,
};
use crate::setup::{
    checklists, excel_exports, filename_regex, files, information, map, reasons, scenario_reasons, secrets,
    settings, tags, udf,
};

/// What the audit trail is told of routes that leave no trace in a table, and of which it is not.
pub const TELLING: Telling = Telling {
    handing_out: &[
        "/audit/export",
        "/bulk_labels/returns",
        "/bulk_labels/units",
        "/excel_exports/{id}/file",
        "/export_proofs",
        "/gefco/excel-kpi-client-report",
        "/gefco/excel-kpi-internal-report",
        "/pod_pdfs/jobs",
        "/pod_pdfs/jobs/{id}",
        "/runs/bunzl_export",
        "/runs/{id}/runsheet_pdf",
        "/scenarios/{id}/all_purpose_transport_download",
        "/scenarios/{id}/runsheets_excel",
        "/scenarios/{id}/runsheets_pdf",
        "/search/jobs/export",
        "/search/returns/export",
        "/search/runs/export",
        "/search/units/export",
    ],
    quiet: &[
        // They read what is given, and write nothing.
        "/auth/runsheet_token",
        "/drivers/read_file",
        "/filename_regex/test",
        "/jobs/look_up_addresses",
        "/jobs/read_file",
        // Phones and trackers tell where they are and what they have, every few seconds.
        "/positions/osmand/{token}",
        "/positions/owntracks/{token}",
        "/v2/runsheet/contact",
        "/v2/runsheet/gps_points",
    ],
};

/// All routes of the service.
pub fn table() -> Routes<App> {
    Routes::new()
        // setup: what an organisation sets once
        .merge(settings::routes())
        .merge(tags::routes())
        .merge(reasons::routes())
        .merge(scenario_reasons::routes())
        .merge(files::routes())
        .merge(excel_exports::routes())
        .merge(secrets::routes())
        .merge(information::routes())
        .merge(udf::routes())
        .merge(filename_regex::routes())
        .merge(map::routes())
        .merge(checklists::routes())
        // fleet: places, people, vehicles
        .merge(locations::routes())
        .merge(clients::routes())
        .merge(location_options::routes())
        .merge(billing_rates::routes())
        .merge(vehicles::routes())
        .merge(config_values::routes())
        .merge(drivers::routes())
        .merge(run_code_maps::routes())
        .merge(territories::routes())
        // orders: jobs, what hangs on them, how they come in
        .merge(jobs::routes())
        .merge(units::routes())
        .merge(returns::routes())
        .merge(containers::routes())
        .merge(whole_jobs::routes())
        .merge(imports::routes())
        .merge(addresses::routes())
        .merge(bulk_upload::routes())
        .merge(tutorial::routes())
        .merge(labels::routes())
        // planning: scenarios, runs and the plan
        .merge(scenarios::routes())
        .merge(runs::routes())
        .merge(changes::routes())
        .merge(moves::routes())
        .merge(optimise::routes())
        .merge(constraints_check::routes())
        .merge(diagnosis::routes())
        .merge(dashboard::routes())
        .merge(scenario_copies::routes())
        // execution: dispatch, run sheets, proofs, tracking, validation
        .merge(contact::routes())
        .merge(gps::routes())
        .merge(devices::routes())
        .merge(seals::routes())
        .merge(proofs::routes())
        .merge(documents::routes())
        .merge(dispatch::routes())
        .merge(messages::routes())
        .merge(runsheet::routes())
        .merge(evidence::routes())
        .merge(filing::routes())
        .merge(qr_codes::routes())
        .merge(tracking::routes())
        .merge(progress::routes())
        .merge(validation::routes())
        // afterwards: searching, costing, exports, partners, what was deleted
        .merge(search::routes())
        .merge(run_costs::routes())
        .merge(trail::routes())
        .merge(exports::routes())
        .merge(kpi::routes())
        .merge(partners::routes())
        .merge(forwarder::routes())
        .merge(bin::routes())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use routewright_testing::order;

    /// Lowest first.
    const WINGS: [&str; 8] =
        ["setup", "fleet", "plan", "orders", "planning", "execution", "afterwards", "rehearsal"];
    /// What knows every noun; no noun knows it.
    const ROOF: [&str; 4] = ["pieces", "routes", "service", "work"];

    fn calls(depth: usize) -> order::Calls {
        order::calls(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), depth)
    }

    /// A wing calls only wings below it and the ground; the ground calls no wing.
    #[test]
    fn wings_call_downwards_only() {
        let calls = calls(1);
        for (caller, called) in calls.iter().filter(|(caller, _)| !ROOF.contains(&caller.as_str())) {
            let place = |module: &str| WINGS.iter().position(|wing| *wing == module);
            for other in called {
                assert!(place(other) <= place(caller), "{caller} calls {other}, which stands above it");
                assert!(!ROOF.contains(&other.as_str()), "{caller} calls {other}");
            }
        }
        for wing in WINGS {
            assert!(calls.contains_key(wing), "{wing} is no wing of this house");
        }
        assert_eq!(order::circle(&calls), None);
    }

    /// A noun calls those above it in the table, and those without routes; nobody calls in circles.
    #[test]
    fn nouns_call_upwards_only() {
        let calls = calls(2);
        let noun = |name: &String| {
            let path = calls.keys().find(|path| path.split("::").nth(1) == Some(name.as_str()));
            path.cloned().unwrap_or_else(|| panic!("{name} is in no wing"))
        };
        let table: Vec<String> = order::listed(include_str!("routes.rs")).iter().map(noun).collect();
        assert_eq!(order::downwards(&calls, &table), []);
        // Files within the plan, the ground and a rehearsal may stand side by side.
        let aside = ["plan", "realtime", "rehearsal"];
        let within = |path: &str| path.split("::").next().is_some_and(|wing| aside.contains(&wing));
        let nouns = calls.into_iter().filter(|(caller, _)| !within(caller)).collect();
        assert_eq!(order::circle(&nouns), None);
    }

    /// Two nouns must not claim the same route.
    #[test]
    fn every_route_is_registered_once() {
        let mut seen = BTreeSet::new();
        for row in super::table().rows() {
            assert!(seen.insert((row.method.to_string(), row.path)), "{} {}", row.method, row.path);
        }
    }
}
