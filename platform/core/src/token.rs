//! Random, unguessable texts.

use rand::Rng;

/// `length` url-safe characters from the operating system's generator (5.95 bits each).
#[must_use]
pub fn random(length: usize) -> String {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut source = rand::rng();
    (0..length).map(|_| char::from(LETTERS[source.random_range(0..LETTERS.len())])).collect()
}
