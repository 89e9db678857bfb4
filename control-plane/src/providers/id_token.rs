//! Verification of id tokens (OpenID Connect Core 1.0, 3.1.3.7).

use chrono::{DateTime, Utc};
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;

/// Signatures that only the provider can make. A key shared with us (HS256) proves less, `none` nothing.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];
/// Clocks may differ by so many seconds.
const LEEWAY: i64 = 60;

/// Who the provider says it is.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    /// The provider's own name for the person, which never changes.
    pub(crate) subject: String,
    /// Address, if the provider has verified it.
    pub(crate) verified_email: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    iat: Option<i64>,
    nonce: Option<String>,
    #[serde(flatten)]
    address: Address,
}

/// A person's address, and whether the provider has verified it.
#[derive(Debug, Deserialize)]
pub(super) struct Address {
    email: Option<String>,
    /// Some providers write the boolean as text.
    #[serde(default)]
    email_verified: serde_json::Value,
}

impl Address {
    /// The address, if it is verified.
    pub(super) fn verified(self) -> Option<String> {
        let verified = self.email_verified == true || self.email_verified == "true";
        self.email.filter(|_| verified)
    }
}

/// Whether the set has the key that signed the token.
pub(super) fn has_key(token: &str, keys: &JwkSet) -> bool {
    jsonwebtoken::decode_header(token).is_ok_and(|header| key(keys, header.kid.as_deref()).is_some())
}

fn key<'k>(keys: &'k JwkSet, kid: Option<&str>) -> Option<&'k Jwk> {
    match kid {
        Some(kid) => keys.find(kid),
        None => keys.keys.first().filter(|_| keys.keys.len() == 1),
    }
}

/// Verifies signature, issuer, audience, times and nonce.
pub(super) fn verify(
    token: &str,
    keys: &JwkSet,
    issuer: &str,
    client_id: &str,
    nonce: &str,
    now: DateTime<Utc>,
) -> Result<Person, String> {
    let header = jsonwebtoken::decode_header(token).map_err(|error| error.to_string())?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(format!("signed with {:?}", header.alg));
    }
    let jwk = key(keys, header.kid.as_deref()).ok_or("signed with an unknown key")?;
    if let Some(meant) = jwk.common.key_algorithm
        && meant.to_string() != format!("{:?}", header.alg)
    {
        return Err("signed with another algorithm than its key is for".to_owned());
    }
    let key = DecodingKey::from_jwk(jwk).map_err(|error| error.to_string())?;
    let mut validation = Validation::new(header.alg);
    // Judged below, by the application's clock and with the reason.
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    let claims =
        jsonwebtoken::decode::<Claims>(token, &key, &validation).map_err(|error| error.to_string())?.claims;
    judge(claims, issuer, client_id, nonce, now.timestamp())
}

fn judge(claims: Claims, issuer: &str, client_id: &str, nonce: &str, now: i64) -> Result<Person, String> {
    if claims.iss != issuer {
        return Err(format!("issued by {}", claims.iss));
    }
    let (meant, several) = match &claims.aud {
        Audience::One(audience) => (audience == client_id, false),
        Audience::Many(audiences) => (audiences.iter().any(|one| one == client_id), audiences.len() > 1),
    };
    if !meant {
        return Err("issued for another client".to_owned());
    }
    if (several || claims.azp.is_some()) && claims.azp.as_deref() != Some(client_id) {
        return Err("issued to another client".to_owned());
    }
    if claims.exp + LEEWAY <= now || claims.iat.is_some_and(|issued| issued > now + LEEWAY) {
        return Err("expired or not yet valid".to_owned());
    }
    let same: bool = claims.nonce.unwrap_or_default().as_bytes().ct_eq(nonce.as_bytes()).into();
    if !same {
        return Err("made for another sign-in".to_owned());
    }
    if claims.sub.is_empty() || claims.sub.len() > 255 {
        return Err("has no subject".to_owned());
    }
    Ok(Person { subject: claims.sub, verified_email: claims.address.verified() })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn verdict(change: Value) -> Result<Person, String> {
        let mut claims = json!({
            "iss": "https://id.example.org", "sub": "ana", "aud": "routewright", "exp": NOW + 300, "iat": NOW,
            "nonce": "n", "email": "ana@example.org", "email_verified": true
        });
        for (name, value) in change.as_object().unwrap() {
            claims[name] = value.clone();
        }
        judge(serde_json::from_value(claims).unwrap(), "https://id.example.org", "routewright", "n", NOW)
    }

    #[test]
    fn only_a_token_for_this_sign_in_counts() {
        assert_eq!(verdict(json!({})).unwrap().verified_email.as_deref(), Some("ana@example.org"));
        for wrong in [
            json!({ "iss": "https://other.example.org" }),
            json!({ "aud": "other" }),
            json!({ "aud": ["routewright", "other"] }),
            json!({ "aud": ["routewright", "other"], "azp": "other" }),
            json!({ "azp": "other" }),
            json!({ "exp": NOW - 61 }),
            json!({ "iat": NOW + 61 }),
            json!({ "nonce": "m" }),
            json!({ "nonce": null }),
            json!({ "sub": "" }),
        ] {
            assert!(verdict(wrong.clone()).is_err(), "{wrong}");
        }
        assert!(verdict(json!({ "aud": ["routewright", "other"], "azp": "routewright" })).is_ok());
    }

    #[test]
    fn an_unverified_address_counts_for_nothing() {
        for (value, counts) in
            [(json!(false), false), (json!(null), false), (json!("true"), true), (json!(1), false)]
        {
            let person = verdict(json!({ "email_verified": value })).unwrap();
            assert_eq!(person.verified_email.is_some(), counts);
        }
    }

    #[test]
    fn shared_keys_and_missing_signatures_are_refused() {
        let keys = JwkSet { keys: Vec::new() };
        // alg HS256 and alg none
        for token in ["eyJhbGciOiJIUzI1NiJ9.e30.AAAA", "eyJhbGciOiJub25lIn0.e30."] {
            let verdict = verify(token, &keys, "i", "c", "n", DateTime::UNIX_EPOCH);
            assert!(verdict.is_err(), "{token}");
        }
    }
}
