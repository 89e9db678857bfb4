//! The matrix of an OSRM server, in blocks, asking only for pairs not seen before.

use std::sync::Arc;

use futures::{StreamExt, stream};
use quick_cache::sync::Cache;

use super::{Osrm, Place, Way, server::NoAnswer};

/// Rows and columns of the matrix that one request fills, as indices of places.
struct Block {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// Most places whose pairs are looked up in an instant.
const FEW: usize = 100;
/// Seconds of a pair without a way, and of one that was not asked for.
pub(super) const NO_WAY: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

/// Ways between all pairs of places, row by row: eight bytes each, which at 10,000 places is 800 MB, and no more.
pub(super) struct Ways {
    size: usize,
    pub(super) seconds: Vec<u32>,
    pub(super) metres: Vec<u32>,
}

impl Ways {
    /// None is known yet, but that a place lies at no distance from itself.
    fn unknown(size: usize) -> Self {
        let seconds = vec![UNKNOWN; size * size];
        let mut ways = Self { size, seconds, metres: vec![0; size * size] };
        for place in 0..size {
            ways.set(place, place, Some((0, 0)));
        }
        ways
    }

    fn set(&mut self, from: usize, to: usize, way: Way) {
        let at = from * self.size + to;
        (self.seconds[at], self.metres[at]) =
            way.map_or((NO_WAY, 0), |(seconds, metres)| (seconds.min(UNKNOWN - 1), metres));
    }

    fn is_missing(&self, from: usize, to: usize) -> bool {
        self.seconds[from * self.size + to] == UNKNOWN
    }
}

impl Osrm {
    /// Ways between all pairs of places; the error is the reason the server failed.
    pub(super) async fn ways_between(&self, places: &[Place]) -> Result<Ways, String> {
        let (kept, asked, side) = (Arc::clone(&self.ways), places.to_vec(), self.options.block.max(1));
        let look = move || {
            let ways = known(&kept, &asked);
            let blocks = blocks(&ways, side);
            (ways, blocks)
        };
        // Ten thousand places have a hundred million pairs, which keeps nobody else waiting.
        let (mut ways, blocks) = if places.len() <= FEW {
            look()
        } else {
            tokio::task::spawn_blocking(look).await.map_err(|error| error.to_string())?
        };
        let mut answers = stream::iter(blocks)
            .map(|block| self.fill(places, block))
            .buffer_unordered(self.options.parallel.max(1));
        while let Some(answer) = answers.next().await {
            let (block, found) = answer.map_err(|error| error.to_string())?;
            let mut found = found.into_iter();
            for row in &block.rows {
                for (column, way) in block.columns.iter().zip(found.by_ref()) {
                    // A place lies at no distance from itself, whatever the block says about it.
                    if row != column {
                        ways.set(*row, *column, way);
                    }
                    self.ways.insert((places[*row], places[*column]), way);
                }
            }
        }
        Ok(ways)
    }

    async fn fill(&self, places: &[Place], block: Block) -> Result<(Block, Vec<Way>), NoAnswer> {
        let pick = |indices: &[usize]| indices.iter().map(|i| places[*i]).collect::<Vec<_>>();
        let table = match self.server.table(&pick(&block.rows), &pick(&block.columns)).await {
            Ok(table) => table,
            Err(NoAnswer::NoWay) => {
                let none = vec![None; block.rows.len() * block.columns.len()];
                return Ok((block, none));
            }
            Err(error) => return Err(error),
        };
        let far = |snapped: &super::server::Snapped| snapped.distance > self.options.farthest_road;
        let mut ways = Vec::with_capacity(block.rows.len() * block.columns.len());
        for ((source, durations), distances) in
            table.sources.iter().zip(&table.durations).zip(&table.distances)
        {
            for ((destination, duration), distance) in table.destinations.iter().zip(durations).zip(distances)
            {
                let way = duration.zip(*distance).filter(|_| !far(source) && !far(destination));
                ways.push(way.map(|(seconds, metres)| (seconds.round() as u32, metres.round() as u32)));
            }
        }
        Ok((block, ways))
    }
}

fn known(kept: &Cache<(Place, Place), Way>, places: &[Place]) -> Ways {
    let mut ways = Ways::unknown(places.len());
    for (from, one) in places.iter().enumerate() {
        for (to, other) in places.iter().enumerate().filter(|(to, _)| *to != from) {
            if let Some(way) = kept.get(&(*one, *other)) {
                ways.set(from, to, way);
            }
        }
    }
    ways
}

/// Cuts the pairs that are not known into requests. Places are ordered by how much is missing about them, so that
/// one new place among many known ones costs one row and one column, not the whole matrix.
fn blocks(known: &Ways, side: usize) -> Vec<Block> {
    let size = known.size;
    let missing = |row: usize, column: usize| known.is_missing(row, column);
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by_cached_key(|i| (0..size).filter(|j| missing(*i, *j) || missing(*j, *i)).count());
    let mut blocks = Vec::new();
    for rows in order.chunks(side) {
        for columns in order.chunks(side) {
            let rows: Vec<_> =
                rows.iter().copied().filter(|r| columns.iter().any(|c| missing(*r, *c))).collect();
            let columns: Vec<_> =
                columns.iter().copied().filter(|c| rows.iter().any(|r| missing(*r, *c))).collect();
            if !rows.is_empty() {
                blocks.push(Block { rows, columns });
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One new place among 300 known ones is asked for as one column and one row.
    #[test]
    fn one_new_place_costs_one_row_and_one_column() {
        let size = 301;
        let new = 17;
        let mut known = Ways::unknown(size);
        for from in (0..size).filter(|from| *from != new) {
            (0..size).filter(|to| *to != new).for_each(|to| known.set(from, to, Some((1, 1))));
        }
        let asked: usize = blocks(&known, 100).iter().map(|b| b.rows.len() * b.columns.len()).sum();
        assert_eq!(asked, 600);
    }

    #[test]
    fn nothing_missing_asks_nothing() {
        let mut known = Ways::unknown(2);
        known.set(0, 1, None);
        known.set(1, 0, Some((7, 9)));
        assert!(blocks(&known, 100).is_empty() && blocks(&Ways::unknown(0), 100).is_empty());
        assert_eq!((known.seconds, known.metres), (vec![0, NO_WAY, 7, 0], vec![0, 0, 9, 0]));
    }
}
