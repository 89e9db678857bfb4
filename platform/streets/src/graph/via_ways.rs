//! Turn restrictions along a way: whoever came from one street may not leave the next into a third. The edges of the street in
//! between are doubled; whoever comes from the first street drives on the copies, from which the forbidden turn is missing.

use super::Graph;
use super::pieces::{Pieces, number};
use super::turns::Arc;
use crate::Error;
use crate::osm::{Extract, Restriction, Via};

/// Most pieces of the street in between.
const LONGEST: usize = 20;

/// Restricts turns along ways.
pub(super) fn restrict(
    extract: &Extract,
    pieces: &Pieces,
    graph: &mut Graph,
    arcs: &mut Vec<Arc>,
) -> Result<(), Error> {
    for restriction in &extract.restrictions {
        if let Via::Way(via) = restriction.via {
            Doubling { extract, pieces, restriction, via }.apply(graph, arcs)?;
        }
    }
    Ok(())
}

struct Doubling<'a> {
    extract: &'a Extract,
    pieces: &'a Pieces,
    restriction: &'a Restriction,
    via: i64,
}

impl Doubling<'_> {
    fn way(&self, graph: &Graph, edge: u32) -> i64 {
        self.extract.ways[self.pieces.way[graph.piece(edge).0 as usize] as usize].id
    }

    fn apply(&self, graph: &mut Graph, arcs: &mut Vec<Arc>) -> Result<(), Error> {
        let entries: Vec<usize> = (0..arcs.len())
            .filter(|at| {
                let arc = &arcs[*at];
                self.way(graph, arc.tail) == self.restriction.from
                    && self.way(graph, arc.head) == self.via
                    && arc.blocked & self.restriction.holds != self.restriction.holds
            })
            .collect();
        for entry in entries {
            let Some(chain) = self.chain(graph, arcs, arcs[entry].head) else { continue };
            self.double(graph, arcs, entry, &chain)?;
        }
        Ok(())
    }

    /// Edges of the way in between, from the first to the one that ends where the third street begins.
    fn chain(&self, graph: &Graph, arcs: &[Arc], first: u32) -> Option<Vec<u32>> {
        let mut chain = vec![first];
        while chain.len() <= LONGEST {
            let last = chain[chain.len() - 1];
            let mut next = arcs.iter().filter(|arc| arc.tail == last).map(|arc| arc.head);
            if next.clone().any(|edge| self.way(graph, edge) == self.restriction.to) {
                return Some(chain);
            }
            let onward = next.find(|edge| {
                self.way(graph, *edge) == self.via && graph.piece(*edge).0 != graph.piece(last).0
            });
            chain.push(onward?);
        }
        None
    }

    fn double(
        &self,
        graph: &mut Graph,
        arcs: &mut Vec<Arc>,
        entry: usize,
        chain: &[u32],
    ) -> Result<(), Error> {
        let holds = self.restriction.holds;
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
            for arc in arcs.iter().filter(|arc| arc.tail == *edge) {
                let head = if on_chain == Some(&arc.head) { copy + 1 } else { arc.head };
                let named = self.way(graph, arc.head) == self.restriction.to;
                if on_chain.is_none() && named != self.restriction.only {
                    continue;
                }
                added.push(Arc { tail: copy, head, ..*arc });
            }
        }
        arcs.append(&mut added);
        Ok(())
    }
}
