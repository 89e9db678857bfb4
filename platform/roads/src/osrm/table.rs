//! The matrix of an OSRM server, in blocks, asking only for pairs not seen before.

use futures::{StreamExt, TryStreamExt, stream};

use super::{Osrm, Place, Way, server::NoAnswer};

/// Rows and columns of the matrix that one request fills, as indices of places.
struct Block {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Osrm {
    /// Ways between all pairs of places, row-major; the error is the reason the server failed.
    pub(super) async fn ways_between(&self, places: &[Place]) -> Result<Vec<Way>, String> {
        let size = places.len();
        let mut known = self.known(places);
        let blocks = blocks(&known, size, self.options.block.max(1));
        let answers = stream::iter(blocks)
            .map(|block| self.fill(places, block))
            .buffer_unordered(self.options.parallel.max(1))
            .try_collect::<Vec<_>>();
        for (block, ways) in answers.await.map_err(|error| error.to_string())? {
            let mut ways = ways.into_iter();
            for row in &block.rows {
                for (column, way) in block.columns.iter().zip(ways.by_ref()) {
                    known[row * size + column] = Some(way);
                    self.ways.insert((places[*row], places[*column]), way);
                }
            }
        }
        // A place lies at no distance from itself, whatever the block says about it.
        for i in 0..size {
            known[i * size + i] = Some(Some((0, 0)));
        }
        Ok(known.into_iter().map(Option::flatten).collect())
    }

    fn known(&self, places: &[Place]) -> Vec<Option<Way>> {
        let pair = |from: &Place, to: &Place| {
            if from == to { Some(Some((0, 0))) } else { self.ways.get(&(*from, *to)) }
        };
        places.iter().flat_map(|from| places.iter().map(move |to| pair(from, to))).collect()
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

/// Cuts the pairs that are not known into requests. Places are ordered by how much is missing about them, so that
/// one new place among many known ones costs one row and one column, not the whole matrix.
fn blocks(known: &[Option<Way>], size: usize, side: usize) -> Vec<Block> {
    let missing = |row: usize, column: usize| known[row * size + column].is_none();
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
        let known: Vec<Option<Way>> = (0..size * size)
            .map(|i| (i / size != new && i % size != new || i / size == i % size).then_some(Some((1, 1))))
            .collect();
        let asked: usize = blocks(&known, size, 100).iter().map(|b| b.rows.len() * b.columns.len()).sum();
        assert_eq!(asked, 600);
    }

    #[test]
    fn nothing_missing_asks_nothing() {
        assert!(blocks(&[Some(None)], 1, 100).is_empty());
        assert!(blocks(&[], 0, 100).is_empty());
    }
}
