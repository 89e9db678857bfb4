//! The gateway's path table against the services' route tables: each documented path must reach the service that
//! answers it.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use regex::Regex;
use routewright_core::http::routes::Row;

const TABLE: &str = include_str!("../../nginx/services.conf");

/// Rows of the table in their order, of which nginx takes the first that fits.
fn table() -> Vec<(Regex, &'static str)> {
    let rows = TABLE.lines().filter_map(|line| line.trim().strip_prefix('~'));
    let rows = rows.map(|row| {
        let (pattern, service) = row.trim_end_matches(';').split_once(' ').expect("a pattern and a service");
        (Regex::new(pattern).expect("a pattern"), service.trim())
    });
    rows.collect()
}

fn service<'a>(table: &'a [(Regex, &'a str)], path: &str) -> &'a str {
    table.iter().find(|(pattern, _)| pattern.is_match(path)).map_or("tenant", |(_, service)| service)
}

fn check(rows: &[Row], expected: &str) {
    let table = table();
    assert!(!rows.is_empty() && !table.is_empty());
    let parameter = Regex::new(r"\{[^}]*\}").expect("a pattern");
    let wrong: Vec<String> = rows
        .iter()
        .map(|row| format!("/api{}", parameter.replace_all(row.path, "17")))
        .filter(|path| service(&table, path) != expected)
        .collect();
    assert!(
        wrong.is_empty(),
        "the gateway sends these paths of the {expected} service elsewhere: {wrong:#?}"
    );
}

#[test]
fn paths_of_the_control_plane_reach_it() {
    check(&routewright_control_plane::routes::table().rows(), "control_plane");
}

#[test]
fn paths_of_the_tenant_service_reach_it() {
    check(&routewright_tenant::routes::table().rows(), "tenant");
}
