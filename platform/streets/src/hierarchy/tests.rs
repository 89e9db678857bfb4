//! The hierarchy against a search without one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;

use super::*;
use crate::graph::{Driver, Graph, NONE, rounded};
use crate::osm::Extract;
use crate::profile::Profiles;

/// Cost of the lightest way from the end of an edge to the end of every edge.
fn dijkstra(graph: &Graph, driver: &Driver, from: u32) -> Vec<Cost> {
    let mut costs = vec![Cost::FAR; graph.edges()];
    let mut open = BinaryHeap::new();
    costs[from as usize] = Cost { weight: 0, duration: 0, length: 0 };
    open.push(Reverse((costs[from as usize], from)));
    while let Some(Reverse((cost, tail))) = open.pop() {
        if cost > costs[tail as usize] {
            continue;
        }
        for arc in graph.arcs(tail) {
            let Some(next) = graph.arc_cost(tail, arc, driver) else { continue };
            let (head, way) = (graph.arc_head[arc], cost.then(next));
            if way < costs[head as usize] {
                costs[head as usize] = way;
                open.push(Reverse((way, head)));
            }
        }
    }
    costs
}

/// Issue 12.1: between edges all over Porto, also those of parts that nothing leads to, tables and routes tell what a plain search
/// tells, to the tenth of a second and the decimetre, at free flow and in the evening.
#[test]
fn ways_are_those_of_a_plain_search() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../infra/local/data/porto/roads.osm.pbf");
    let hours = include_str!("../profile/example-hours.json");
    let profiles = Profiles::built_in().unwrap().with_hours(hours).unwrap();
    let extract = Extract::read(&[file], &profiles, &|_| ()).unwrap();
    let graph = Graph::new(&extract, &profiles, "motor").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shape");
    contract(&graph).unwrap().save(&path).unwrap();
    let shape = Shape::open(&path).unwrap();
    let shares = profiles.shares();
    for (index, metric) in [(0, 0), (2, shares.len() - 1)] {
        let driver =
            Driver { index, profile: &profiles.profiles[index], metric, shares: shares[metric], own: None };
        let costs = folder.path().join(index.to_string());
        customize(&shape, &graph, &driver).save(&costs).unwrap();
        let costs = Costs::open(&costs).unwrap();
        let view = View::new(&shape, &costs);
        let edges: Vec<u32> = (0..graph.edges() as u32).step_by(29).collect();
        let none = Cost { weight: 0, duration: 0, length: 0 };
        let stop = |edge: &u32| {
            let terminal = vec![Terminal { edge: *edge, cost: none }];
            Stop { starts: terminal.clone(), ends: terminal, direct: Vec::new() }
        };
        let stops: Vec<Stop> = edges.iter().map(stop).collect();
        let (mut seconds, mut metres) = (vec![0; edges.len().pow(2)], vec![0; edges.len().pow(2)]);
        table(&view, &stops, &mut seconds, &mut metres);
        let mut search = PathSearch::new(view);
        let (mut ways, mut others) = (0, 0);
        for (row, from) in edges.iter().enumerate() {
            let plain = dijkstra(&graph, &driver, *from);
            for (column, to) in edges.iter().enumerate() {
                let (cost, at) = (plain[*to as usize], row * edges.len() + column);
                let told =
                    if cost.reached() { [rounded(cost.duration), rounded(cost.length)] } else { [NONE; 2] };
                let route = search.find(&stops[row].starts, &stops[column].ends);
                assert_eq!(route.as_ref().map_or(Cost::FAR, |found| found.cost), cost, "{from} to {to}");
                assert_eq!(seconds[at] == NONE, !cost.reached(), "{from} to {to}");
                others += usize::from([seconds[at], metres[at]] != told);
                ways += usize::from(cost.reached());
            }
        }
        assert!(ways > edges.len() * edges.len() / 2, "most are connected");
        // Of ways that weigh the same, a table tells any.
        assert!(others * 100 < ways, "{others} of {ways} differ");
    }
}

/// Issue 12.1: shortcuts over which no lightest way leads are gone: fewer than half stay.
#[test]
fn detours_are_dropped() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../infra/local/data/porto/roads.osm.pbf");
    let profiles = Profiles::built_in().unwrap();
    let extract = Extract::read(&[file], &profiles, &|_| ()).unwrap();
    let graph = Graph::new(&extract, &profiles, "motor").unwrap();
    let driver = Driver {
        index: 0,
        profile: &profiles.profiles[0],
        metric: 0,
        shares: profiles.shares()[0],
        own: None,
    };
    let shape = contract(&graph).unwrap();
    let costs = customize(&shape, &graph, &driver);
    for kept in [costs.up.all().len(), costs.down.all().len()] {
        assert!(kept * 2 < shape.head.len(), "{kept} of {}", shape.head.len());
    }
}
