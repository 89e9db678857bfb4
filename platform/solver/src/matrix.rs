//! Travel between the places of a problem.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cells::{self, Cells, NO_WAY};
use crate::problem::ProblemError;

/// Cell of a [`Matrix`] for a pair of places without a way between them.
pub const UNREACHABLE: u32 = u32::MAX;

/// Travel between places: square, row = from, column = to, not necessarily symmetric. A place is no distance from itself. Cheap
/// to clone: at 10,000 places a copy would be 400 MB. Of more than 2,048 places, ways of more than 18 hours or 65 kilometres may
/// be told a few seconds or metres longer than they are, fewer than the longest has multiples of that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Rows", into = "Rows")]
pub struct Matrix {
    size: usize,
    /// Laid out as the search reads it: with a last row and column for a place that is no distance from everywhere.
    seconds: Arc<Cells>,
    metres: Arc<Cells>,
}

/// A matrix as it is written down.
#[derive(Serialize, Deserialize)]
struct Rows {
    size: usize,
    seconds: Vec<u32>,
    metres: Vec<u32>,
}

impl TryFrom<Rows> for Matrix {
    type Error = ProblemError;

    fn try_from(Rows { size, seconds, metres }: Rows) -> Result<Self, ProblemError> {
        Self::new(size, seconds, metres)
    }
}

impl From<Matrix> for Rows {
    fn from(matrix: Matrix) -> Self {
        let size = matrix.size;
        let rows = |part: &Cells| {
            let cells = (0..size).flat_map(|from| (0..size).map(move |to| part.at(from * (size + 1) + to)));
            cells.map(|cell| if cell == NO_WAY { UNREACHABLE } else { cell.unsigned_abs() }).collect()
        };
        Self { size, seconds: rows(&matrix.seconds), metres: rows(&matrix.metres) }
    }
}

impl Default for Matrix {
    fn default() -> Self {
        let nowhere = Arc::new(Cells::laid(Vec::new(), 0));
        Self { size: 0, seconds: Arc::clone(&nowhere), metres: nowhere }
    }
}

impl Matrix {
    /// Builds a matrix from rows laid one after the other; [`UNREACHABLE`] marks a missing way.
    ///
    /// # Errors
    /// [`ProblemError::MatrixShape`] when a part does not hold `size * size` cells.
    pub fn new(size: usize, seconds: Vec<u32>, metres: Vec<u32>) -> Result<Self, ProblemError> {
        let cells = size.checked_mul(size).ok_or(ProblemError::MatrixShape)?;
        if seconds.len() != cells || metres.len() != cells {
            return Err(ProblemError::MatrixShape);
        }
        let (mut times, mut distances) = (seconds, metres);
        let missing = i32::MAX.unsigned_abs();
        for (time, distance) in times.iter_mut().zip(&mut distances) {
            if *time >= missing || *distance >= missing {
                (*time, *distance) = (UNREACHABLE, UNREACHABLE);
            }
        }
        // One after the other: each takes less when it is laid.
        let seconds = Arc::new(Cells::laid(times, size));
        Ok(Self { size, seconds, metres: Arc::new(Cells::laid(distances, size)) })
    }

    /// Builds a matrix of which only these ways are known: from, to, seconds, metres; from one place to another there is no other.
    /// It takes as much memory as there are ways, not places in square. A place is no distance from itself, whatever is given.
    ///
    /// # Errors
    /// [`ProblemError::MatrixShape`] when a way leads to a place beyond `size`.
    pub fn of_ways(size: usize, ways: &[(usize, usize, u32, u32)]) -> Result<Self, ProblemError> {
        if ways.iter().any(|(from, to, ..)| *from.max(to) >= size) {
            return Err(ProblemError::MatrixShape);
        }
        let seconds = ways.iter().map(|(from, to, s, m)| (*from, *to, known(*s, *m).0));
        let metres = ways.iter().map(|(from, to, s, m)| (*from, *to, known(*s, *m).1));
        Ok(Self {
            size,
            seconds: Arc::new(Cells::few(size, seconds)),
            metres: Arc::new(Cells::few(size, metres)),
        })
    }

    /// Seconds as the search reads them, with the place that is no distance from everywhere; [`NO_WAY`] without a way.
    pub(crate) fn laid_seconds(&self) -> &Arc<Cells> {
        &self.seconds
    }

    /// Metres likewise.
    pub(crate) fn laid_metres(&self) -> &Arc<Cells> {
        &self.metres
    }

    /// Builds a matrix from a road engine's answer. Cells that are missing, negative, not finite or beyond
    /// `i32::MAX` are [`UNREACHABLE`]; the others are rounded to whole seconds and metres.
    ///
    /// # Errors
    /// [`ProblemError::MatrixShape`] when a part does not hold `size * size` cells.
    pub fn from_cells(
        size: usize,
        seconds: &[Option<f64>],
        metres: &[Option<f64>],
    ) -> Result<Self, ProblemError> {
        let cells = |values: &[Option<f64>]| values.iter().copied().map(whole).collect();
        Self::new(size, cells(seconds), cells(metres))
    }

    /// Number of places.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Driving time in seconds at speed 1; `None` without a way.
    pub fn seconds(&self, from: usize, to: usize) -> Option<i64> {
        self.cell(&self.seconds, from, to)
    }

    /// Distance in metres; `None` without a way.
    pub fn metres(&self, from: usize, to: usize) -> Option<i64> {
        self.cell(&self.metres, from, to)
    }

    fn cell(&self, part: &Cells, from: usize, to: usize) -> Option<i64> {
        if from >= self.size || to >= self.size {
            return None;
        }
        let value = part.at(from * (self.size + 1) + to);
        (value != NO_WAY).then_some(i64::from(value))
    }
}

/// A matrix of ways that come row after row, so that they are in memory once: what is given is laid at once.
#[derive(Debug)]
pub struct MatrixRows {
    size: usize,
    seconds: cells::Rows,
    metres: cells::Rows,
    whole: bool,
}

impl MatrixRows {
    /// For so many places.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self { size, seconds: cells::Rows::new(size), metres: cells::Rows::new(size), whole: true }
    }

    /// Takes the seconds and metres of whole rows; [`UNREACHABLE`] marks a missing way.
    pub fn push(&mut self, seconds: &[u32], metres: &[u32]) {
        let known = seconds.iter().zip(metres).map(|(seconds, metres)| known(*seconds, *metres));
        let (times, distances): (Vec<i32>, Vec<i32>) = known.unzip();
        self.whole &=
            seconds.len() == metres.len() && self.seconds.push(&times) && self.metres.push(&distances);
    }

    /// The matrix, without ways from and to these places.
    ///
    /// # Errors
    /// [`ProblemError::MatrixShape`] when other than `size` rows of `size` cells came.
    pub fn without(mut self, places: &[usize]) -> Result<Matrix, ProblemError> {
        for &place in places.iter().filter(|place| **place < self.size) {
            self.seconds.close(place);
            self.metres.close(place);
        }
        let cells = self.seconds.all().zip(self.metres.all()).filter(|_| self.whole);
        let (seconds, metres) = cells.ok_or(ProblemError::MatrixShape)?;
        Ok(Matrix { size: self.size, seconds: Arc::new(seconds), metres: Arc::new(metres) })
    }
}

/// Seconds and metres of a way; [`NO_WAY`] for both where one is not known.
fn known(seconds: u32, metres: u32) -> (i32, i32) {
    let way = i32::try_from(seconds).ok().zip(i32::try_from(metres).ok());
    way.filter(|way| way.0.max(way.1) < NO_WAY).unwrap_or((NO_WAY, NO_WAY))
}

const MAX_CELL: u32 = i32::MAX as u32;

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range is checked before")]
fn whole(value: Option<f64>) -> u32 {
    match value {
        Some(v) if v.is_finite() && (0.0..=f64::from(MAX_CELL)).contains(&v.round()) => v.round() as u32,
        _ => UNREACHABLE,
    }
}
