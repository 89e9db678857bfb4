//! The access matrix: every route of both services against every built-in kind of caller, as a reviewed page of the
//! documentation.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::Path;

use routewright_core::access::{Module, Who, admin_levels, all_levels, user_levels};
use routewright_core::http::routes::Row;

const PAGE: &str = "../docs/access.md";
const HEAD: &str = "# Who may call what\n\n\
    Every route of both services, below `/api`. *master* is an administrator of the Master organisation, *admin* and *user*\n\
    are the built-in roles of an organisation, *driver* holds a run sheet token, *anybody* has signed in nowhere; a link\n\
    opens what it was made for and nothing else. Roles of an organisation's own are made of the levels in the last column.\n\n\
    | Route | master | admin | user | driver | anybody | Needs |\n|---|---|---|---|---|---|---|\n";

/// Whether a user with these levels is let in, all modules being on.
fn lets_in(row: &Row, levels: &[String], master: bool) -> bool {
    let access = row.access;
    let holds = |level: &&str| levels.iter().any(|held| held == level);
    matches!(access.who, Who::User | Who::RunsheetOrUser | Who::Public)
        && (master || !access.master)
        && access.levels.iter().all(&holds)
        && (access.any.is_empty() || access.any.iter().any(holds))
}

fn page() -> String {
    let control = routewright_control_plane::routes::table().rows();
    let tenant = routewright_tenant::routes::table().rows();
    // To work inside an organisation the Master's people exchange their token for one of that organisation.
    let mut rows: Vec<(Row, bool)> = control
        .into_iter()
        .map(|row| (row, true))
        .chain(tenant.into_iter().map(|row| (row, false)))
        .collect();
    rows.sort_by(|(a, _), (b, _)| (a.path, a.method.as_str()).cmp(&(b.path, b.method.as_str())));
    let mut page = HEAD.to_owned();
    for (row, of_control_plane) in rows {
        let mark = |let_in: bool| if let_in { "yes" } else { "" };
        writeln!(
            page,
            "| `{} {}` | {} | {} | {} | {} | {} | {} |",
            row.method,
            row.path,
            mark(of_control_plane && lets_in(&row, &admin_levels(), true)),
            mark(lets_in(&row, &admin_levels(), false)),
            mark(lets_in(&row, &user_levels(), false)),
            mark(matches!(row.access.who, Who::Runsheet | Who::RunsheetOrUser | Who::Public)),
            mark(row.access.who == Who::Public),
            row.access.describe(),
        )
        .expect("a line");
    }
    page
}

/// The page is written anew by `UPDATE=1 cargo test --test access_page`; the difference is what is to be reviewed.
#[test]
fn the_access_of_every_route_is_as_reviewed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &page).expect("the page is written");
    }
    let reviewed = std::fs::read_to_string(&file).expect("the page is there");
    let changed: Vec<&str> = page
        .lines()
        .filter(|line| !reviewed.lines().any(|known| known == *line))
        .chain(reviewed.lines().filter(|known| !page.lines().any(|line| line == *known)))
        .collect();
    assert!(changed.is_empty(), "to be reviewed, then UPDATE=1 cargo test --test access_page: {changed:#?}");
}

/// Without signing in nothing is open but the doors themselves. This list may only shrink.
#[test]
fn few_routes_are_public() {
    let known: Vec<&str> = include_str!("public_routes.txt").lines().collect();
    let rows =
        [routewright_control_plane::routes::table().rows(), routewright_tenant::routes::table().rows()]
            .concat();
    let public: Vec<String> = rows
        .iter()
        .filter(|row| row.access.who == Who::Public)
        .map(|row| format!("{} {}", row.method, row.path))
        .collect();
    for route in &public {
        assert!(known.contains(&route.as_str()), "{route} is public");
    }
    for route in known {
        assert!(public.iter().any(|open| open == route), "{route} is no longer public: take it off the list");
    }
}

/// The texts in quotes of one declaration of a TypeScript file.
fn quoted<'a>(source: &'a str, declaration: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(declaration).expect("the declaration is there");
    let (list, _) = rest.split_once(';').expect("its end");
    list.split('"').skip(1).step_by(2).collect()
}

/// the web apps know the levels and modules that the services know, no other and none less.
#[test]
fn the_web_apps_know_the_same_levels_and_modules() {
    let source = include_str!("../../../platform/web/src/access/levels.ts");
    let mut levels: Vec<String> = quoted(source, "LEVELLED_RESOURCES =")
        .iter()
        .flat_map(|resource| [format!("{resource}_read"), format!("{resource}_write")])
        .chain(quoted(source, "VIEW_LEVELS =").into_iter().map(str::to_owned))
        .collect();
    levels.push("jobs_delete".to_owned());
    assert_eq!(sorted(levels), sorted(all_levels()));
    let source = include_str!("../../../platform/web/src/model/organisation.ts");
    let keys = Module::ALL.map(Module::key);
    assert_eq!(sorted(quoted(source, "type ModuleKey =")), sorted(keys.to_vec()));
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}
