//! The one list of nouns. A noun may call nouns above it, through their `mod.rs`; never those below, never their SQL.
//! Two have no routes and stand above all that change plans: `realtime` (events) and `plan` (the door of every plan).

use routewright_core::Routes;

use crate::app::App;
use crate::{
    billing_rates, bulk_upload, checklists, clients, config_values, constraints_check, containers, dashboard,
    dispatch, documents, drivers, excel_exports, exports, filename_regex, files, filing, forwarder, gps,
    imports, information, jobs, kpi, labels, location_options, locations, map, moves, optimise, partners,
    progress, proofs, qr_codes, reasons, returns, run_code_maps, run_costs, runs, runsheet, scenario_copies,
    scenario_reasons, scenarios, search, secrets, settings, tags, territories, tracking, tutorial, udf,
    units, validation, vehicles, whole_jobs,
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
        .merge(excel_exports::routes())
        .merge(secrets::routes())
        .merge(information::routes())
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
        .merge(filing::routes())
        .merge(qr_codes::routes())
        .merge(tracking::routes())
        .merge(progress::routes())
        .merge(validation::routes())
        .merge(dashboard::routes())
        .merge(scenario_copies::routes())
        // execution: dispatch, run sheets, proofs, tracking
        .merge(labels::routes())
        // afterwards: validation, costing, exports, partners
        .merge(search::routes())
        .merge(run_costs::routes())
        .merge(exports::routes())
        .merge(kpi::routes())
        .merge(partners::routes())
        .merge(forwarder::routes())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::{Path, PathBuf};

    use regex::Regex;

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(files(&path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
        found
    }

    /// The first names in `{a, b::{c, d}, e}`.
    fn first_names(list: &str) -> Vec<String> {
        let mut names = vec![String::new()];
        let mut depth = 0;
        for letter in list.chars() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => names.push(String::new()),
                _ if depth == 0 => names.last_mut().unwrap().push(letter),
                _ => {}
            }
        }
        names.iter().map(|name| name.trim().split("::").next().unwrap_or_default().to_owned()).collect()
    }

    /// Nouns that each noun's sources name. (That they come in by the front door, the compiler sees to.)
    fn calls() -> BTreeMap<String, BTreeSet<String>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let library = std::fs::read_to_string(root.join("lib.rs")).unwrap();
        let module = Regex::new(r"(?m)^(?:pub )?mod (\w+);").unwrap();
        let nouns: BTreeSet<String> = module.captures_iter(&library).map(|m| m[1].to_owned()).collect();
        let path = Regex::new(r"crate::(\w+)").unwrap();
        let group = Regex::new(r"(?s)use crate::\{(.*?)\};").unwrap();
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in files(&root) {
            let relative = file.strip_prefix(&root).unwrap();
            let noun = relative.components().next().unwrap().as_os_str().to_str().unwrap();
            let noun = noun.trim_end_matches(".rs").to_owned();
            if !nouns.contains(&noun) || ["app", "config", "routes", "work"].contains(&noun.as_str()) {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let calls = all.entry(noun.clone()).or_default();
            calls.extend(path.captures_iter(&text).map(|found| found[1].to_owned()));
            calls.extend(group.captures_iter(&text).flat_map(|list| first_names(&list[1])));
            calls.retain(|called| nouns.contains(called) && *called != noun);
        }
        all
    }

    /// A noun calls those above it in the table, and those without routes; nobody calls in circles.
    #[test]
    fn nouns_call_upwards_only() {
        let mut left = calls();
        let table = Regex::new(r"\.merge\((\w+)::routes\(\)\)").unwrap();
        let order: Vec<String> =
            table.captures_iter(include_str!("routes.rs")).map(|m| m[1].to_owned()).collect();
        let place = |noun: &String| order.iter().position(|listed| listed == noun);
        for (noun, calls) in &left {
            for called in calls {
                if let Some((here, there)) = place(noun).zip(place(called)) {
                    assert!(there < here, "{noun} calls {called}, which stands below it");
                }
            }
        }
        while !left.is_empty() {
            let done: Vec<String> = left
                .iter()
                .filter(|(_, calls)| !calls.iter().any(|called| left.contains_key(called)))
                .map(|(noun, _)| noun.clone())
                .collect();
            assert!(!done.is_empty(), "nouns call in circles: {left:?}");
            left.retain(|noun, _| !done.contains(noun));
        }
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
