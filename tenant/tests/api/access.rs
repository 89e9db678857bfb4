//! Who may call what: the whole route table as a reviewed file, and the list of routes that need no signed-in user, which
//! may only shrink.

use routewright_core::access::Who;
use routewright_core::http::routes::Row;

fn rows() -> Vec<Row> {
    let mut rows = routewright_tenant::routes::table().rows();
    rows.sort_by(|a, b| (a.path, a.method.as_str()).cmp(&(b.path, b.method.as_str())));
    rows
}

#[test]
fn the_access_of_every_route_is_as_reviewed() {
    let text: String = rows()
        .iter()
        .map(|row| format!("{:6} {:55} {}\n", row.method.as_str(), row.path, row.access.describe()))
        .collect();
    insta::assert_snapshot!("access", text);
}

/// A-3xx: without signing in nothing is open but what a capability link or a run sheet token opens.
#[test]
fn few_routes_are_public() {
    let public: Vec<String> = rows()
        .iter()
        .filter(|row| row.access.who == Who::Public)
        .map(|row| format!("{} {}", row.method, row.path))
        .collect();
    // This list may only shrink. Both verify a signed or random token of their own before they open anything.
    let known = ["GET /files/temp/{ticket}", "POST /auth/runsheet_token"];
    assert!(public.iter().all(|route| known.contains(&route.as_str())), "{public:?}");
}

/// Two nouns must not claim the same route.
#[test]
fn every_route_is_registered_once() {
    let mut seen = std::collections::HashSet::new();
    for row in rows() {
        assert!(seen.insert((row.method.clone(), row.path)), "{} {}", row.method, row.path);
    }
}
