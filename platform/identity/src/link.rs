//! Capability links. Their tokens are random, and still tell the service (and nobody else) which organisation they
//! belong to: 12 characters carry the organisation and 35 random bits under a keyed permutation, so that no directory
//! of tokens across organisations is needed. What a token opens is decided in the organisation's own schema.

use rand::Rng;
use routewright_core::OrganisationId;
use routewright_core::config::MasterKey;
use sha2::{Digest, Sha256};

/// The 31 letters that cannot be mistaken for one another.
const LETTERS: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
/// Length of a locator: 31^12 is just below 2^60.
const LENGTH: usize = 12;
/// Number of locators, 31^12.
const SPACE: u64 = 787_662_783_788_549_761;
/// Bits of the organisation's id.
const ORGANISATION_BITS: u32 = 24;
/// Half of the 60 bits that the permutation works on.
const HALF: u32 = 30;
const MASK: u64 = (1 << HALF) - 1;
/// Rounds of the Feistel network; 4 make a strong pseudorandom permutation (Luby and Rackoff 1988), twice that is margin.
const ROUNDS: u8 = 8;

/// Makes link tokens and reads the organisation out of them.
#[derive(Clone)]
pub struct LinkKeys {
    key: [u8; 32],
}

impl LinkKeys {
    /// Uses the deployment's key.
    #[must_use]
    pub fn new(master: &MasterKey) -> Self {
        Self { key: master.derive("routewright/link/1") }
    }

    /// A 12-character token that can be typed, for tracking numbers. Of 34 billion per organisation: whoever stores many
    /// checks that they are new.
    #[must_use]
    pub fn short(&self, organisation: OrganisationId) -> String {
        let organisation =
            u64::try_from(organisation.get()).unwrap_or_default() & ((1 << ORGANISATION_BITS) - 1);
        let random = rand::rng().random_range(0..SPACE >> ORGANISATION_BITS);
        let mut value = (random << ORGANISATION_BITS) | organisation;
        // Cycle walking keeps the permutation inside the 31^12 numbers that 12 letters can write.
        loop {
            value = self.permute(value);
            if value < SPACE {
                return write(value);
            }
        }
    }

    /// A token with 128 random bits more, for run sheets, sockets and files: 36 characters.
    #[must_use]
    pub fn long(&self, organisation: OrganisationId) -> String {
        format!("{}{}", self.short(organisation), routewright_core::token::random(24))
    }

    /// The organisation that a token claims to belong to; nothing for a text that is not one of ours.
    #[must_use]
    pub fn organisation(&self, token: &str) -> Option<OrganisationId> {
        let mut value = read(token.get(..LENGTH)?)?;
        loop {
            value = self.invert(value);
            if value < SPACE {
                break;
            }
        }
        let id = value & ((1 << ORGANISATION_BITS) - 1);
        i64::try_from(id).ok().filter(|id| *id > 0).map(OrganisationId::new)
    }

    /// What only a holder of the key can say about a text: for notices between processes, which any login of the database
    /// could write.
    #[must_use]
    pub fn seal(&self, text: &str) -> String {
        // Key, tag and digest are of fixed length, so that nothing can be appended; no round of the permutation has this tag.
        let mut hash = Sha256::new_with_prefix(self.key);
        hash.update([u8::MAX]);
        hash.update(Sha256::digest(text));
        hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    fn permute(&self, value: u64) -> u64 {
        let (mut left, mut right) = (value >> HALF, value & MASK);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ self.round(round, right));
        }
        (left << HALF) | right
    }

    fn invert(&self, value: u64) -> u64 {
        let (mut left, mut right) = (value >> HALF, value & MASK);
        for round in (0..ROUNDS).rev() {
            (left, right) = (right ^ self.round(round, left), left);
        }
        (left << HALF) | right
    }

    /// Keyed round function. The input is of fixed length, so that hashing key and input in one block is sound.
    fn round(&self, round: u8, half: u64) -> u64 {
        let mut hash = Sha256::new();
        hash.update(self.key);
        hash.update([round]);
        hash.update(half.to_be_bytes());
        let digest = hash.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        u64::from_be_bytes(first) & MASK
    }
}

fn write(mut value: u64) -> String {
    let mut letters = [0; LENGTH];
    for letter in letters.iter_mut().rev() {
        // The remainder is below 31.
        *letter = LETTERS[usize::try_from(value % 31).unwrap_or_default()];
        value /= 31;
    }
    letters.iter().map(|letter| char::from(*letter)).collect()
}

fn read(text: &str) -> Option<u64> {
    text.bytes().try_fold(0_u64, |value, letter| {
        let digit = LETTERS.iter().position(|known| *known == letter)?;
        value.checked_mul(31)?.checked_add(u64::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn keys(secret: &str) -> LinkKeys {
        LinkKeys::new(&MasterKey::new(secret.to_owned()).expect("long enough"))
    }

    #[test]
    fn a_token_leads_to_its_organisation_and_to_no_other() {
        let ours = keys("b7f1c9e2a4d60835b7f1c9e2a4d60835");
        let mut seen = HashSet::new();
        for id in [1, 2, 77, 4096, 16_777_215] {
            for _ in 0..200 {
                let token = ours.short(OrganisationId::new(id));
                assert_eq!(token.len(), 12);
                assert!(token.bytes().all(|letter| LETTERS.contains(&letter)));
                assert_eq!(ours.organisation(&token), Some(OrganisationId::new(id)));
                assert!(seen.insert(token));
            }
        }
        let long = ours.long(OrganisationId::new(9));
        assert_eq!((long.len(), ours.organisation(&long)), (36, Some(OrganisationId::new(9))));
        for wrong in ["", "short", "abcdefghijkl", "0O1IL0O1IL0O", "ÄÖÜÄÖÜÄÖÜÄÖÜ"] {
            assert_eq!(ours.organisation(wrong), None, "{wrong}");
        }
    }

    /// V-27: only a holder of the key can say what is believed.
    #[test]
    fn a_seal_is_of_its_key_and_text() {
        let keys = |text: &str| LinkKeys::new(&MasterKey::new(text.to_owned()).expect("long enough"));
        let one = keys("4f1d2c3b5a69788796a5b4c3d2e1f00f");
        assert_eq!(one.seal("text"), one.seal("text"));
        assert_ne!(one.seal("text"), one.seal("text."));
        assert_ne!(one.seal("text"), keys("4f1d2c3b5a69788796a5b4c3d2e1f00e").seal("text"));
    }

    #[test]
    fn without_the_key_a_token_says_nothing() {
        let (ours, theirs) =
            (keys("b7f1c9e2a4d60835b7f1c9e2a4d60835"), keys("00f1c9e2a4d60835b7f1c9e2a4d60835"));
        let guessed = (0..500)
            .filter(|_| {
                theirs.organisation(&ours.short(OrganisationId::new(5))) == Some(OrganisationId::new(5))
            })
            .count();
        assert_eq!(guessed, 0);
    }
}
