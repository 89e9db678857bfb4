//! Encryption of secrets: AES-256-GCM with a key of the organisation, derived from the deployment's master key. Stored as
//! a version byte, the nonce and the sealed text.

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use routewright_core::config::MasterKey;
use routewright_core::{Error, OrganisationId, Result};

const VERSION: u8 = 1;

fn key(master: &MasterKey, organisation: OrganisationId) -> Result<RandomizedNonceKey> {
    let key = master.derive(&format!("routewright/secrets/1/{organisation}"));
    RandomizedNonceKey::new(&AES_256_GCM, &key)
        .map_err(|_| Error::internal("the key of secrets is not usable"))
}

/// Encrypts a text.
pub(super) fn seal(master: &MasterKey, organisation: OrganisationId, text: &str) -> Result<Vec<u8>> {
    let mut sealed = text.as_bytes().to_vec();
    let nonce = key(master, organisation)?
        .seal_in_place_append_tag(Aad::from([VERSION]), &mut sealed)
        .map_err(|_| Error::internal("a secret cannot be encrypted"))?;
    let mut stored = vec![VERSION];
    stored.extend_from_slice(nonce.as_ref());
    stored.append(&mut sealed);
    Ok(stored)
}

/// Decrypts a text.
///
/// # Errors
/// When it was not sealed with this deployment's key for this organisation, or was changed.
pub(super) fn open(master: &MasterKey, organisation: OrganisationId, stored: &[u8]) -> Result<String> {
    let broken = || Error::internal("a secret cannot be decrypted: another master key, or damaged data");
    let (version, rest) = stored.split_first().ok_or_else(broken)?;
    if *version != VERSION {
        return Err(broken());
    }
    let (nonce, sealed) = rest.split_at_checked(NONCE_LEN).ok_or_else(broken)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| broken())?;
    let mut text = sealed.to_vec();
    let text = key(master, organisation)?
        .open_in_place(nonce, Aad::from([VERSION]), &mut text)
        .map_err(|_| broken())?;
    String::from_utf8(text.to_vec()).map_err(|_| broken())
}

/// What is shown in place of a secret: nothing of it.
pub(super) const MASK: &str = "****";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_opens_only_for_its_organisation() {
        let master = MasterKey::new("0a6d3f5c9b1e48720a6d3f5c9b1e4872".to_owned()).unwrap();
        let (mine, other) = (OrganisationId::new(7), OrganisationId::new(8));
        let sealed = seal(&master, mine, "pässword").unwrap();
        assert_eq!(open(&master, mine, &sealed).unwrap(), "pässword");
        assert_ne!(sealed, seal(&master, mine, "pässword").unwrap(), "a nonce of its own each time");
        assert!(!sealed.windows(4).any(|part| part == b"word"));
        assert!(open(&master, other, &sealed).is_err());
        let mut damaged = sealed.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(open(&master, mine, &damaged).is_err());
        assert!(open(&master, mine, &[]).is_err() && open(&master, mine, &[1, 2]).is_err());
    }
}
