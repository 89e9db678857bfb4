//! Turn restrictions along ways: whoever came from one street may not leave the next ones into another. The edges of the streets in
//! between are doubled; whoever comes from the first street drives on the copies, from which the forbidden turn is missing.

use std::collections::{HashMap, HashSet};

use super::Graph;
use super::pieces::{Pieces, number};
use super::turns::Arc;
use crate::Error;
use crate::osm::{Extract, Restriction, Via};

/// Most pieces of the streets in between.
const LONGEST: usize = 20;

/// Restricts turns along ways.
pub(super) fn restrict(
    extract: &Extract,
    pieces: &Pieces,
    graph: &mut Graph,
    arcs: &mut Vec<Arc>,
) -> Result<(), Error> {
    let along: Vec<(&Restriction, &[i64])> = extract
        .restrictions
        .iter()
        .filter_map(|restriction| match &restriction.via {
            Via::Ways(ways) => Some((restriction, &ways[..])),
            Via::Node(_) => None,
        })
        .collect();
    if along.is_empty() {
        return Ok(());
    }
    let named = along.iter().flat_map(|(restriction, via)| via.iter().chain([&restriction.from]));
    let mut streets = Streets { extract, pieces, named: named.copied().collect(), leaving: HashMap::new() };
    for (at, arc) in arcs.iter().enumerate() {
        streets.note(graph, at, arc);
    }
    for (restriction, via) in along {
        streets.apply(restriction, via, graph, arcs)?;
    }
    Ok(())
}

/// Streets that restrictions name.
struct Streets<'a> {
    extract: &'a Extract,
    pieces: &'a Pieces,
    /// Ids of the ways that one comes from or drives along.
    named: HashSet<i64>,
    /// Arcs that leave the edges of those, by edge.
    leaving: HashMap<u32, Vec<usize>>,
}

impl Streets<'_> {
    fn way(&self, graph: &Graph, edge: u32) -> i64 {
        self.extract.ways[self.pieces.way[graph.piece(edge).0 as usize] as usize].id
    }

    fn note(&mut self, graph: &Graph, at: usize, arc: &Arc) {
        if self.named.contains(&self.way(graph, arc.tail)) {
            self.leaving.entry(arc.tail).or_default().push(at);
        }
    }

    fn leaving(&self, edge: u32) -> &[usize] {
        self.leaving.get(&edge).map_or(&[], Vec::as_slice)
    }

    fn apply(
        &mut self,
        restriction: &Restriction,
        via: &[i64],
        graph: &mut Graph,
        arcs: &mut Vec<Arc>,
    ) -> Result<(), Error> {
        let mut entries: Vec<usize> = self
            .leaving
            .iter()
            .filter(|(tail, _)| self.way(graph, **tail) == restriction.from)
            .flat_map(|(_, leaving)| leaving)
            .copied()
            .filter(|at| {
                let arc = &arcs[*at];
                via.contains(&self.way(graph, arc.head))
                    && arc.blocked & restriction.holds != restriction.holds
            })
            .collect();
        // In an order that does not change from time to time.
        entries.sort_unstable();
        for entry in entries {
            let mut chain = vec![arcs[entry].head];
            if self.chain(graph, arcs, restriction, via, &mut chain) {
                self.double(graph, arcs, entry, restriction, &chain)?;
            }
        }
        Ok(())
    }

    /// Goes on along the ways in between to an edge that ends where the last street begins, when all of them were driven along;
    /// says whether there is such a chain.
    fn chain(
        &self,
        graph: &Graph,
        arcs: &[Arc],
        restriction: &Restriction,
        via: &[i64],
        chain: &mut Vec<u32>,
    ) -> bool {
        let last = chain[chain.len() - 1];
        let all = via.iter().all(|way| chain.iter().any(|edge| self.way(graph, *edge) == *way));
        let next = || self.leaving(last).iter().map(|at| arcs[*at].head);
        if all && next().any(|edge| self.way(graph, edge) == restriction.to) {
            return true;
        }
        if chain.len() == LONGEST {
            return false;
        }
        for edge in next() {
            let driven = chain.iter().any(|known| graph.piece(*known).0 == graph.piece(edge).0);
            if driven || !via.contains(&self.way(graph, edge)) {
                continue;
            }
            chain.push(edge);
            if self.chain(graph, arcs, restriction, via, chain) {
                return true;
            }
            chain.pop();
        }
        false
    }

    fn double(
        &mut self,
        graph: &mut Graph,
        arcs: &mut Vec<Arc>,
        entry: usize,
        restriction: &Restriction,
        chain: &[u32],
    ) -> Result<(), Error> {
        let holds = restriction.holds;
        let first_copy = number(graph.edges())?;
        for edge in chain {
            let edge = *edge as usize;
            graph.edge_piece.push(graph.edge_piece[edge]);
            graph.edge_delay.push(graph.edge_delay[edge]);
            graph.edge_driven.push(graph.edge_driven[edge]);
        }
        let mut added = vec![Arc { head: first_copy, blocked: arcs[entry].blocked | !holds, ..arcs[entry] }];
        arcs[entry].blocked |= holds;
        for ((at, edge), copy) in chain.iter().enumerate().zip(first_copy..) {
            let on_chain = chain.get(at + 1);
            for arc in self.leaving(*edge).iter().map(|at| &arcs[*at]) {
                let head = if on_chain == Some(&arc.head) { copy + 1 } else { arc.head };
                let named = self.way(graph, arc.head) == restriction.to;
                if on_chain.is_none() && named != restriction.only {
                    continue;
                }
                added.push(Arc { tail: copy, head, ..*arc });
            }
        }
        for arc in added {
            self.note(graph, arcs.len(), &arc);
            arcs.push(arc);
        }
        Ok(())
    }
}
