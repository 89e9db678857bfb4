//! Cells of a square matrix as the search reads them: four bytes each, or two in a large matrix, where memory counts: at 10,000
//! places 400 MB or 200.

use std::collections::HashMap;

/// Marks a missing way.
pub(crate) const NO_WAY: i32 = i32::MAX;

/// Matrices of more places have cells of two bytes.
pub(crate) const WIDE: usize = 2048;
/// The same in a cell of two bytes.
const NARROW_NO_WAY: u16 = u16::MAX;
/// The largest number in such a cell.
const MOST: i32 = NARROW_NO_WAY as i32 - 1;
/// Rows between two returns of memory while a matrix is narrowed.
const PART: usize = 256;

/// Cells row after row, with a last row and column for a place that is no distance from everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cells {
    Wide(Vec<i32>),
    /// Counted in a unit in which the largest fits: 1 up to 18 hours or 65 kilometres, so many seconds or metres beyond.
    Narrow {
        cells: Vec<u16>,
        unit: i32,
    },
    /// A few ways of many places, by where their cells would lie: those along a run.
    Few {
        ways: HashMap<usize, i32>,
        places: usize,
    },
}

/// A row of them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Line<'c> {
    Wide(&'c [i32]),
    Narrow { cells: &'c [u16], unit: i32 },
    Few { cells: &'c Cells, first: usize },
}

impl Line<'_> {
    #[inline]
    pub(crate) fn at(self, place: usize) -> i32 {
        match self {
            Self::Wide(cells) => cells[place],
            Self::Narrow { cells, unit } => widened(cells[place], unit),
            Self::Few { cells, first } => cells.at(first + place),
        }
    }
}

impl Cells {
    /// Of rows laid one after the other, `size * size` numbers; those beyond `i32::MAX` are no way. In place, and from the end,
    /// giving back what was read, so that no matrix is in memory twice.
    pub(crate) fn laid(mut rows: Vec<u32>, size: usize) -> Self {
        let places = size + 1;
        if size <= WIDE {
            // The cells of a vector are turned into others in their place.
            let mut cells: Vec<i32> =
                rows.into_iter().map(|cell| i32::try_from(cell).unwrap_or(NO_WAY)).collect();
            lay_out(&mut cells, size);
            return Self::Wide(cells);
        }
        let ways = rows.iter().filter_map(|cell| i32::try_from(*cell).ok()).filter(|cell| *cell < NO_WAY);
        let unit = unit(ways.max().unwrap_or(0));
        let mut cells = vec![0; places * places];
        for from in (0..size).rev() {
            let read = rows.split_off(from * size);
            for (to, (cell, read)) in cells[from * places..].iter_mut().zip(read).enumerate() {
                *cell = if from == to { 0 } else { narrowed(i32::try_from(read).unwrap_or(NO_WAY), unit) };
            }
            if from.is_multiple_of(PART) {
                rows.shrink_to_fit();
            }
        }
        Self::Narrow { cells, unit }
    }

    /// Of a few ways of many places; from every other place to another there is none.
    pub(crate) fn few(size: usize, ways: impl Iterator<Item = (usize, usize, i32)>) -> Self {
        let places = size + 1;
        Self::Few { ways: ways.map(|(from, to, way)| (from * places + to, way)).collect(), places }
    }

    /// Each cell made into another, alike in width.
    pub(crate) fn map(&self, other: impl Fn(i32) -> i32) -> Self {
        match self {
            Self::Wide(cells) => Self::Wide(cells.iter().map(|cell| other(*cell)).collect()),
            Self::Narrow { cells, unit: before } => {
                let made = || cells.iter().map(|cell| other(widened(*cell, *before)));
                let unit = unit(made().filter(|cell| *cell != NO_WAY).max().unwrap_or(0));
                Self::Narrow { cells: made().map(|cell| narrowed(cell, unit)).collect(), unit }
            }
            Self::Few { ways, places } => {
                let ways = ways.iter().map(|(at, way)| (*at, other(*way))).collect();
                Self::Few { ways, places: *places }
            }
        }
    }

    /// Turned round: column after column.
    pub(crate) fn turned(&self, places: usize) -> Self {
        fn turned<T: Copy>(cells: &[T], places: usize) -> Vec<T> {
            (0..places * places).map(|at| cells[at % places * places + at / places]).collect()
        }
        match self {
            Self::Wide(cells) => Self::Wide(turned(cells, places)),
            Self::Narrow { cells, unit } => Self::Narrow { cells: turned(cells, places), unit: *unit },
            Self::Few { ways, .. } => {
                let ways = ways.iter().map(|(at, way)| (at % places * places + at / places, *way)).collect();
                Self::Few { ways, places }
            }
        }
    }

    /// Whether every way is as long as the way back.
    pub(crate) fn is_symmetric(&self, places: usize) -> bool {
        (0..places).all(|a| (0..a).all(|b| self.at(a * places + b) == self.at(b * places + a)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = i32> {
        (0..self.len()).map(|at| self.at(at))
    }

    #[inline]
    pub(crate) fn at(&self, at: usize) -> i32 {
        match self {
            Self::Wide(cells) => cells[at],
            Self::Narrow { cells, unit } => widened(cells[at], *unit),
            Self::Few { ways, places } => few(ways, *places, at),
        }
    }

    #[inline]
    pub(crate) fn row(&self, place: usize, places: usize) -> Line<'_> {
        let row = place * places..(place + 1) * places;
        match self {
            Self::Wide(cells) => Line::Wide(&cells[row]),
            Self::Narrow { cells, unit } => Line::Narrow { cells: &cells[row], unit: *unit },
            Self::Few { .. } => Line::Few { cells: self, first: row.start },
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Wide(cells) => cells.len(),
            Self::Narrow { cells, .. } => cells.len(),
            Self::Few { places, .. } => places * places,
        }
    }
}

/// A cell of a matrix of which a few ways are known.
#[cold]
#[inline(never)]
fn few(ways: &HashMap<usize, i32>, places: usize, at: usize) -> i32 {
    let (from, to) = (at / places, at % places);
    if from == to || from.max(to) + 1 == places {
        return 0;
    }
    ways.get(&at).copied().unwrap_or(NO_WAY)
}

/// Cells that come row after row.
#[derive(Debug)]
pub(crate) struct Rows {
    cells: Cells,
    places: usize,
    /// Rows that are there.
    rows: usize,
}

impl Rows {
    /// For so many places; none has come yet.
    pub(crate) fn new(size: usize) -> Self {
        let places = size + 1;
        let cells = if size <= WIDE {
            Cells::Wide(vec![0; places * places])
        } else {
            Cells::Narrow { cells: vec![0; places * places], unit: 1 }
        };
        Self { cells, places, rows: 0 }
    }

    /// Takes whole rows; false when there are more than places.
    pub(crate) fn push(&mut self, told: &[i32]) -> bool {
        let size = self.places - 1;
        if size == 0 || !told.len().is_multiple_of(size) || self.rows + told.len() / size > size {
            return told.is_empty();
        }
        let most = told.iter().copied().filter(|cell| *cell != NO_WAY).max().unwrap_or(0);
        self.fit(unit(most));
        for row in told.chunks(size) {
            let first = self.rows * self.places;
            for (to, cell) in row.iter().enumerate() {
                self.set(first + to, if to == self.rows { 0 } else { *cell });
            }
            self.rows += 1;
        }
        true
    }

    /// Counts in a larger unit from now on, if it is one.
    fn fit(&mut self, larger: i32) {
        if let Cells::Narrow { cells, unit } = &mut self.cells
            && larger > *unit
        {
            for cell in cells.iter_mut() {
                *cell = narrowed(widened(*cell, *unit), larger);
            }
            *unit = larger;
        }
    }

    fn set(&mut self, at: usize, cell: i32) {
        match &mut self.cells {
            Cells::Wide(cells) => cells[at] = cell,
            Cells::Narrow { cells, unit } => cells[at] = narrowed(cell, *unit),
            Cells::Few { ways, .. } => _ = ways.insert(at, cell),
        }
    }

    /// Takes the ways from and to a place away.
    pub(crate) fn close(&mut self, place: usize) {
        for other in (0..self.places - 1).filter(|other| *other != place) {
            self.set(place * self.places + other, NO_WAY);
            self.set(other * self.places + place, NO_WAY);
        }
    }

    /// All rows; `None` while some are missing.
    pub(crate) fn all(self) -> Option<Cells> {
        (self.rows + 1 == self.places).then_some(self.cells)
    }
}

/// Bytes of a cell in a matrix of so many places.
pub(crate) fn width(size: usize) -> u64 {
    if size <= WIDE { 4 } else { 2 }
}

/// The least unit in which a number fits into two bytes.
fn unit(most: i32) -> i32 {
    (most / MOST + i32::from(most % MOST > 0)).max(1)
}

#[inline]
fn widened(cell: u16, unit: i32) -> i32 {
    if cell == NARROW_NO_WAY { NO_WAY } else { i32::from(cell) * unit }
}

fn narrowed(cell: i32, unit: i32) -> u16 {
    // Rounded up, so that nobody comes earlier than he can.
    let units = cell / unit + i32::from(cell % unit > 0);
    if cell == NO_WAY { NARROW_NO_WAY } else { u16::try_from(units).unwrap_or(NARROW_NO_WAY) }
}

/// Gives cells laid row after row a last row and column of nowhere.
fn lay_out(cells: &mut Vec<i32>, size: usize) {
    let places = size + 1;
    cells.resize(places * places, 0);
    for from in (0..size).rev() {
        cells.copy_within(from * size..(from + 1) * size, from * places);
    }
    for from in 0..size {
        cells[from * places + from] = 0;
        cells[from * places + size] = 0;
    }
    cells[size * places..].fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V-09: a large matrix takes two bytes a cell and tells the same as one of four.
    #[test]
    fn v_09_a_large_matrix_is_narrow_and_tells_the_same() {
        let size = WIDE + 1;
        let places = size + 1;
        let way = |from: usize, to: usize| match (from, to) {
            (0, 1) => u32::MAX,
            (7, 8) => 65_534,
            _ => u32::try_from((from * 31 + to * 17) % 5000).unwrap_or(0),
        };
        let rows = (0..size).flat_map(|from| (0..size).map(move |to| way(from, to)));
        let cells = Cells::laid(rows.collect(), size);
        let back = cells.turned(places);
        assert!(matches!(cells, Cells::Narrow { unit: 1, .. }) && !cells.is_symmetric(places));
        for (from, to) in
            [(0, 1), (7, 8), (1, 0), (size - 1, 3), (12, size - 1), (5, 5), (2, size), (size, 2)]
        {
            let expected = match way(from, to) {
                _ if from == to || from == size || to == size => 0,
                u32::MAX => NO_WAY,
                way => i32::try_from(way).unwrap_or(NO_WAY),
            };
            assert_eq!(cells.at(from * places + to), expected, "from {from} to {to}");
            assert_eq!(cells.row(from, places).at(to), expected);
            assert_eq!(back.row(to, places).at(from), expected);
        }
    }

    /// V-09: a few ways of very many places take no square, and tell the same as a matrix in which there are no others.
    #[test]
    fn v_09_a_few_ways_tell_the_same_as_a_matrix() {
        let (size, places) = (4, 5);
        let mut rows = vec![u32::MAX; size * size];
        (rows[1], rows[2 * size + 3], rows[3 * size + 2]) = (70, 900, 800);
        let all = Cells::laid(rows, size);
        let few = Cells::few(size, [(0, 1, 70), (2, 3, 900), (3, 2, 800)].into_iter());
        let slower = |cell: i32| if cell == NO_WAY { NO_WAY } else { cell * 2 };
        for (few, all) in
            [(&few, &all), (&few.turned(places), &all.turned(places)), (&few.map(slower), &all.map(slower))]
        {
            assert_eq!(few.iter().collect::<Vec<_>>(), all.iter().collect::<Vec<_>>());
            for (from, to) in (0..places).flat_map(|from| (0..places).map(move |to| (from, to))) {
                assert_eq!(few.row(from, places).at(to), all.row(from, places).at(to), "from {from} to {to}");
            }
        }
        let chain = Cells::few(1 << 20, (0..99).map(|at| (at, at + 1, 1)));
        let Cells::Few { ways, .. } = &chain else { panic!("{chain:?}") };
        assert_eq!((ways.len(), chain.at((1 << 20) + 1 + 2)), (99, 1));
    }

    /// V-09: rows that come one after the other make the same matrix, also when a far way comes late.
    #[test]
    fn v_09_rows_make_the_same_matrix() {
        for (size, far) in [(3, 100_000), (WIDE + 1, 9000), (WIDE + 1, 100_000)] {
            let way =
                |at: usize| if at == size * size - 2 { far } else { u32::try_from(at % 5000).unwrap_or(0) };
            let all: Vec<u32> = (0..size * size).map(way).collect();
            let mut rows = Rows::new(size);
            for part in all.chunks(size) {
                let part: Vec<i32> = part.iter().map(|cell| i32::try_from(*cell).unwrap_or(NO_WAY)).collect();
                assert!(rows.push(&part));
            }
            assert!(!rows.push(&vec![1; size]));
            assert_eq!(rows.all(), Some(Cells::laid(all, size)), "{size} {far}");
        }
        assert!(Rows::new(2).all().is_none());
    }

    /// V-09: what is farther than 65 kilometres is told within a few metres, never shorter, and no way stays none.
    #[test]
    fn v_09_far_ways_of_a_large_matrix_are_never_told_shorter() {
        let size = WIDE + 1;
        let mut rows = vec![1001; size * size];
        (rows[1], rows[2], rows[3]) = (1_000_000, u32::MAX, i32::MAX.unsigned_abs());
        let cells = Cells::laid(rows, size);
        let row = cells.row(0, size + 1);
        assert!(matches!(cells, Cells::Narrow { unit: 16, .. }));
        let above = |at: usize, told: i32| (told..told + 16).contains(&row.at(at));
        assert!(above(1, 1_000_000) && above(9, 1001), "{} {}", row.at(1), row.at(9));
        assert_eq!((row.at(2), row.at(3)), (NO_WAY, NO_WAY));
        let slower = cells.map(|cell| if cell == NO_WAY { NO_WAY } else { cell * 2 });
        let far = slower.row(0, size + 1).at(1);
        assert!((2_000_000..2_000_064).contains(&far), "{far}");
    }
}
