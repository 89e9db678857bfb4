//! Which modules of a crate name which others, read from its sources: for tests that hold a service to its order.
//!
//! A module is known by its path without `crate`, as far as `depth` names: of `src/orders/jobs/write.rs` that is
//! `orders` (depth 1) or `orders::jobs` (depth 2); of `src/orders/mod.rs` it is `orders` and of `src/app.rs` it is `app`
//! at both. What is named belongs to the longest such path: with depth 2 and without a module `orders::Job`,
//! `crate::orders::Job` is a call of `orders`.
//!
//! ```text
//! let calls = order::calls(Path::new("src"), 2);
//! let table = order::listed(include_str!("routes.rs"));
//! assert_eq!(order::downwards(&calls, &table), []);
//! assert_eq!(order::circle(&calls), None);
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;

/// Of each module the others that it names; nothing is named by itself, and who names nobody is there too.
pub type Calls = BTreeMap<String, BTreeSet<String>>;

/// Names in scope of a file and what they stand for.
type Scope = BTreeMap<String, Vec<String>>;

/// Who calls whom below `src`. Read are `crate::a::b`, `super::b` and `self::b`, in `use` with groups and inline, and
/// paths that start with a module that the file declares or imports (`use crate::orders; orders::jobs::find()`); what the
/// crate root exports under a short name counts as what it stands for. Comments and texts do not count, tests do.
/// The roots themselves (`lib.rs`, `main.rs`) call nobody.
///
/// # Panics
/// When a source cannot be read.
#[must_use]
pub fn calls(src: &Path, depth: usize) -> Calls {
    let mut sources = Vec::new();
    collect(src, &mut Vec::new(), &mut sources);
    let library = std::fs::read_to_string(src.join("lib.rs")).unwrap_or_default();
    read(&library, &sources, depth)
}

/// The modules of a route table in its order: `a::b` of each `.merge(a::b::routes())`.
///
/// # Panics
/// Never: the pattern is a constant.
#[must_use]
pub fn listed(table: &str) -> Vec<String> {
    let merge = Regex::new(r"\.merge\(((?:\w+::)*\w+)::routes\(\)\)").expect("a pattern");
    merge.captures_iter(table).map(|found| found[1].to_owned()).collect()
}

/// Calls of what stands below the caller in `order`: (caller, called). Modules that are not in it have no place.
#[must_use]
pub fn downwards(calls: &Calls, order: &[String]) -> Vec<(String, String)> {
    let place = |module: &String| order.iter().position(|listed| listed == module);
    let pairs = calls.iter().flat_map(|(caller, called)| called.iter().map(move |called| (caller, called)));
    pairs
        .filter(|(caller, called)| place(caller).zip(place(called)).is_some_and(|(here, there)| there > here))
        .map(|(caller, called)| (caller.clone(), called.clone()))
        .collect()
}

/// Modules that call in a circle: each the next one, the last the first.
///
/// # Panics
/// Never: who is left over calls somebody who is left over.
#[must_use]
pub fn circle(calls: &Calls) -> Option<Vec<String>> {
    let mut left = calls.clone();
    loop {
        let known: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, called| !called.is_disjoint(&known));
        if left.len() == known.len() {
            break;
        }
    }
    let mut walk = vec![left.keys().next()?.clone()];
    loop {
        let called = &left[walk.last().expect("the first")];
        let next = called.iter().find(|called| left.contains_key(*called)).expect("one that is left over");
        if let Some(start) = walk.iter().position(|module| module == next) {
            return Some(walk.split_off(start));
        }
        walk.push(next.clone());
    }
}

/// The sources below a folder with the paths of their modules; without the crate's roots.
fn collect(folder: &Path, module: &mut Vec<String>, sources: &mut Vec<(Vec<String>, String)>) {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        if path.is_dir() {
            module.push(name);
            collect(&path, module, sources);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            if module.is_empty() && ["lib", "main"].contains(&name.as_str()) {
                continue;
            }
            let own = module.iter().cloned().chain((name != "mod").then_some(name)).collect();
            sources.push((own, std::fs::read_to_string(&path).expect("a source")));
        }
    }
}

fn read(library: &str, sources: &[(Vec<String>, String)], depth: usize) -> Calls {
    let known: BTreeSet<String> =
        sources.iter().map(|(module, _)| module[..module.len().min(depth)].join("::")).collect();
    let root = Words::new(library).names(&[]).1;
    let mut calls = Calls::new();
    for (module, text) in sources {
        let caller = module[..module.len().min(depth)].join("::");
        let called = calls.entry(caller.clone()).or_default();
        for mut path in Words::new(text).names(module).0 {
            // A short name of the crate root.
            if let Some(full) =
                path.first().filter(|first| !known.contains(*first)).and_then(|it| root.get(it))
            {
                path.splice(..1, full.iter().cloned());
            }
            let longest = (1..=path.len().min(depth)).rev().map(|length| path[..length].join("::"));
            called
                .extend(longest.into_iter().find(|path| known.contains(path)).filter(|path| *path != caller));
        }
    }
    calls
}

/// The words and signs of a source, without comments and texts.
struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        let comment = r"//[^\n]*|/\*.*?\*/";
        let literal = r##"r#+".*?"#+|r"[^"]*"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'"##;
        let word = Regex::new(&format!(r"(?s)(?:{comment}|{literal})|(\w+|::|[^\s\w])")).expect("a pattern");
        Self(word.captures_iter(text).filter_map(|found| found.get(1)).map(|word| word.as_str()).collect())
    }

    fn at(&self, place: usize) -> &'a str {
        self.0.get(place).copied().unwrap_or_default()
    }

    fn before(&self, place: usize, back: usize) -> &'a str {
        place.checked_sub(back).map(|place| self.at(place)).unwrap_or_default()
    }

    /// Paths that the file of `module` names, from the crate's root, and what its own names stand for.
    fn names(&self, module: &[String]) -> (Vec<Vec<String>>, Scope) {
        let mut scope = Scope::new();
        let mut named = Vec::new();
        // A declared module may be named before its declaration.
        for place in 0..self.0.len() {
            if self.at(place) == "mod" && self.at(place + 2) == ";" {
                let name = self.at(place + 1).to_owned();
                scope.insert(name.clone(), [module, &[name]].concat());
            }
        }
        let mut own = module.to_vec();
        // Braces that are open, and whether they are those of a module within the file.
        let mut open = Vec::new();
        let mut place = 0;
        while place < self.0.len() {
            let word = self.at(place);
            let starts = self.at(place + 1) == "::" && !["::", "."].contains(&self.before(place, 1));
            // `pub(in crate::a)` says who may look, and names nobody.
            let visibility = self.before(place, 1) == "in" && self.before(place, 2) == "(";
            let importing = self.before(place, 1) == "use";
            match word {
                "{" => {
                    let inner = self.before(place, 2) == "mod";
                    if inner {
                        own.push(self.before(place, 1).to_owned());
                    }
                    open.push(inner);
                }
                "}" if open.pop() == Some(true) => drop(own.pop()),
                _ if starts && !visibility => {
                    if let Some(path) = base(word, &own, &scope) {
                        let mut found = Vec::new();
                        let skip = usize::from(["crate", "self", "super"].contains(&word)) + 1;
                        place = self.tree(place + skip.max(2), &path, &mut found);
                        if importing {
                            scope.extend(found.iter().cloned());
                        }
                        named.extend(found.into_iter().map(|(_, path)| path));
                        continue;
                    }
                }
                _ => {}
            }
            place += 1;
        }
        (named, scope)
    }

    /// Reads what follows `path::`, with the names under which it is known; gives the place behind it.
    fn tree(&self, mut place: usize, path: &[String], found: &mut Vec<(String, Vec<String>)>) -> usize {
        let mut path = path.to_vec();
        loop {
            match self.at(place) {
                "{" => {
                    place += 1;
                    while !["}", ""].contains(&self.at(place)) {
                        place = self.tree(place, &path, found);
                        place += usize::from(self.at(place) == ",");
                    }
                    return place + 1;
                }
                "super" => drop(path.pop()),
                "self" => {}
                word if word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') => {
                    path.push(word.to_owned());
                }
                // `*`, or the `<` of a type argument.
                _ => {
                    found.push((String::new(), path));
                    return place + 1;
                }
            }
            place += 1;
            if self.at(place) == "::" {
                place += 1;
                continue;
            }
            let renamed = self.at(place) == "as";
            let name = if renamed { self.at(place + 1) } else { path.last().map_or("", String::as_str) };
            found.push((name.to_owned(), path.clone()));
            return place + if renamed { 2 } else { 0 };
        }
    }
}

/// What the first word of a path stands for.
fn base(word: &str, own: &[String], scope: &Scope) -> Option<Vec<String>> {
    match word {
        "crate" => Some(Vec::new()),
        "self" => Some(own.to_vec()),
        "super" => Some(own.split_last().map(|(_, above)| above.to_vec()).unwrap_or_default()),
        other => scope.get(other).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(sources: &[(&str, &str)], depth: usize) -> Vec<String> {
        let sources: Vec<(Vec<String>, String)> = sources
            .iter()
            .map(|(path, text)| (path.split("::").map(str::to_owned).collect(), (*text).to_owned()))
            .collect();
        let library = "mod app; pub use app::App; pub use orders::jobs::Job as OrderedJob;";
        let calls = read(&format!("mod orders; {library}"), &sources, depth);
        let lines = calls.iter().filter(|(_, called)| !called.is_empty()).map(|(caller, called)| {
            format!("{caller}: {}", called.iter().map(String::as_str).collect::<Vec<_>>().join(" "))
        });
        lines.collect()
    }

    const SOURCES: [(&str, &str); 7] = [
        ("app", "use std::{io, fmt}; // crate::orders\nconst TEXT: &str = \"crate::orders\";"),
        ("orders", "mod jobs; mod runs; fn routes() { jobs::routes(); } fn brace() -> char { '{' }"),
        ("orders::jobs", "use crate::{app::App, fleet::{drivers::Driver, self as f, vehicles}, clock};"),
        ("orders::jobs::write", "pub(in crate::orders) fn a() { super::Job; super::super::runs::x::<u8>() }"),
        (
            "orders::runs",
            "use crate::fleet; #[cfg(test)] mod tests { use super::*; fn t() { fleet::drivers::a() } }",
        ),
        ("fleet::drivers", "fn f(a: &crate::App) { for x in crate::orders::all() { a.orders::<'a'>() } }"),
        ("fleet::vehicles", "fn f() -> crate::OrderedJob { r#\"\" crate::app\"# }"),
    ];

    #[test]
    fn modules_are_known_by_two_names() {
        assert_eq!(
            modules(&SOURCES, 2),
            [
                "fleet::drivers: app orders",
                "fleet::vehicles: orders::jobs",
                "orders: orders::jobs",
                "orders::jobs: app fleet::drivers fleet::vehicles orders::runs",
                "orders::runs: fleet::drivers",
            ]
        );
    }

    #[test]
    fn modules_are_known_by_one_name() {
        assert_eq!(modules(&SOURCES, 1), ["fleet: app orders", "orders: app fleet"]);
    }

    #[test]
    fn calls_downwards_and_in_circles_are_found() {
        let calls = |pairs: &[(&str, &str)]| {
            let mut calls = Calls::new();
            for (caller, called) in pairs {
                calls.entry((*caller).to_owned()).or_default().insert((*called).to_owned());
            }
            calls
        };
        let order = listed("Routes::new().merge(a::routes()) // first\n.merge(wing::b::routes())");
        assert_eq!(order, ["a", "wing::b"]);
        let pair = ("a".to_owned(), "wing::b".to_owned());
        assert_eq!(downwards(&calls(&[("a", "wing::b"), ("wing::b", "x"), ("x", "a")]), &order), [pair]);
        assert_eq!(circle(&calls(&[("a", "b"), ("b", "c"), ("d", "a")])), None);
        let found = circle(&calls(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]));
        assert_eq!(found, Some(vec!["b".to_owned(), "c".to_owned()]));
    }
}
