//! Chance by a seed: the same question gets the same answer, whenever and by whomever it is asked. Pure.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Chance for one question.
pub(super) struct Chance(StdRng);

impl Chance {
    /// For what these words name, in a rehearsal with this seed.
    pub(super) fn of(seed: i64, words: &[&str]) -> Self {
        Self(StdRng::from_seed(digest(seed, words)))
    }

    /// Evenly from 0 to 1.
    pub(super) fn part(&mut self) -> f64 {
        self.0.random()
    }

    /// Whether something happens that happens so often.
    pub(super) fn happens(&mut self, often: f64) -> bool {
        self.part() < often
    }

    /// Evenly between two numbers.
    pub(super) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.part()
    }

    /// Normally distributed, with mean 0 and deviation 1 (Box and Muller 1958).
    pub(super) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.part().max(f64::MIN_POSITIVE).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.part()).cos()
    }

    /// Log-normally distributed: a factor whose logarithm has this mean and deviation.
    pub(super) fn factor(&mut self, mean: f64, deviation: f64) -> f64 {
        (mean + deviation * self.normal()).exp()
    }
}

/// An id that is the same every time.
pub(super) fn id(seed: i64, words: &[&str]) -> Uuid {
    let digest = digest(seed, words);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

fn digest(seed: i64, words: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(seed.to_be_bytes());
    for word in words {
        hash.update(word.len().to_be_bytes());
        hash.update(word);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_gets_the_same_answer() {
        let ask = |seed, words: &[&str]| Chance::of(seed, words).part().to_bits();
        assert_eq!(ask(7, &["ana", "leg"]), ask(7, &["ana", "leg"]));
        assert_ne!(ask(7, &["ana", "leg"]), ask(8, &["ana", "leg"]));
        assert_ne!(ask(7, &["ana", "leg"]), ask(7, &["an", "aleg"]));
        assert_eq!(id(7, &["a"]), id(7, &["a"]));
        assert_ne!(id(7, &["a"]), id(7, &["b"]));
    }

    #[test]
    fn deviations_are_as_wide_as_said() {
        let mut chance = Chance::of(1, &[]);
        let drawn: Vec<f64> = (0..10_000).map(|_| chance.factor(0.0, 0.2).ln()).collect();
        let count = 10_000.0;
        let mean = drawn.iter().sum::<f64>() / count;
        let deviation = (drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
        assert!(mean.abs() < 0.01 && (deviation - 0.2).abs() < 0.01, "{mean} {deviation}");
    }
}
