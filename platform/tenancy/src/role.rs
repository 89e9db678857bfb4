//! The login role and the rights of one organisation.
//!
//! A role may read and write the rows of its own schema and nothing else: it owns nothing, creates nothing and is
//! member of nothing. Its password is derived from the deployment's master key and never stored; Postgres gets a
//! SCRAM-SHA-256 verifier that is computed here, so that no statement and no server log ever holds the password.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use rand::RngCore as _;
use routewright_core::config::MasterKey;
use routewright_core::{Error, OrganisationId, Result};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

/// Rounds of the verifier of a password that a person chose, as Postgres itself uses.
const ROUNDS_CHOSEN: u32 = 4096;
/// Rounds of the verifier of a derived password. Rounds make guessing slow, and 256 random bits cannot be guessed; but each
/// new connection would spend some milliseconds on them, and a process that serves thousands of organisations connects
/// often.
const ROUNDS_DERIVED: u32 = 1;

/// Settings that every session of a role starts with.
const SETTINGS: [(&str, &str); 2] =
    [("statement_timeout", "30s"), ("idle_in_transaction_session_timeout", "60s")];

/// The name of an organisation's role and schema.
#[must_use]
pub fn name(organisation: OrganisationId) -> String {
    format!("org_{organisation}")
}

/// The password of a role; shown only on purpose.
pub struct RolePassword(String);

impl RolePassword {
    /// The clear text, for signing in.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RolePassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RolePassword(…)")
    }
}

/// The password of an organisation's role: HKDF-SHA256 (RFC 5869) of the master key.
///
/// # Errors
/// Never in practice: 32 bytes are within the reach of HKDF.
pub fn password(master_key: &MasterKey, organisation: OrganisationId) -> Result<RolePassword> {
    let bytes = derive::<32>(master_key, &format!("database role {}", name(organisation)))?;
    Ok(RolePassword(URL_SAFE_NO_PAD.encode(bytes)))
}

/// What tells this deployment's roles from another one's on the same server; says nothing about the key.
fn mark(master_key: &MasterKey) -> Result<String> {
    let bytes = derive::<9>(master_key, "database role mark")?;
    Ok(format!("Routewright deployment {}", URL_SAFE_NO_PAD.encode(bytes)))
}

fn derive<const N: usize>(master_key: &MasterKey, purpose: &str) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    Hkdf::<Sha256>::new(Some(b"routewright"), master_key.bytes())
        .expand(purpose.as_bytes(), &mut bytes)
        .map_err(|_| Error::internal("derived key is too long"))?;
    Ok(bytes)
}

fn keyed_hash(key: &[u8], text: &[u8]) -> Result<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(Error::internal)?;
    mac.update(text);
    Ok(mac.finalize().into_bytes().into())
}

/// A SCRAM-SHA-256 verifier (RFC 5802, RFC 5803) in Postgres' notation. The password must be ASCII, for which
/// SASLprep changes nothing.
///
/// # Errors
/// Never in practice: HMAC takes keys of any length.
pub fn verifier(password: &str, salt: [u8; 16], rounds: u32) -> Result<String> {
    // Hi(): PBKDF2 with one block.
    let mut round = keyed_hash(password.as_bytes(), &[salt.as_slice(), &[0, 0, 0, 1]].concat())?;
    let mut salted = round;
    for _ in 1..rounds {
        round = keyed_hash(password.as_bytes(), &round)?;
        salted.iter_mut().zip(round).for_each(|(sum, byte)| *sum ^= byte);
    }
    let stored = Sha256::digest(keyed_hash(&salted, b"Client Key")?);
    let server = keyed_hash(&salted, b"Server Key")?;
    Ok(format!(
        "SCRAM-SHA-256${rounds}:{}${}:{}",
        STANDARD.encode(salt),
        STANDARD.encode(stored),
        STANDARD.encode(server)
    ))
}

/// A verifier with a fresh salt of a password that a person chose.
///
/// # Errors
/// As [`verifier`].
pub(crate) fn salted_verifier(password: &str) -> Result<String> {
    verifier(password, salt(), ROUNDS_CHOSEN)
}

fn salt() -> [u8; 16] {
    let mut salt = [0; 16];
    rand::rng().fill_bytes(&mut salt);
    salt
}

/// Makes the role, or brings an existing one back to what it must be: login, limits, settings, password.
///
/// # Errors
/// When the role exists and belongs to another deployment, or the login may not create roles.
pub async fn ensure(
    owner: &mut PgConnection,
    master_key: &MasterKey,
    organisation: OrganisationId,
    connections: u16,
) -> Result<()> {
    let role = name(organisation);
    let mark = mark(master_key)?;
    let found = comment(owner, &role).await?;
    if found.is_none() {
        // Roles are common to all databases of a server: another deployment may have been quicker.
        let created = execute(owner, format!("create role {role}; comment on role {role} is '{mark}'")).await;
        if let Err(error) = created
            && !has_code(&error, &["42710", "23505"])
        {
            return Err(error.into());
        }
    }
    if comment(owner, &role).await?.flatten().as_deref() != Some(mark.as_str()) {
        return Err(Error::internal(format!(
            "role {role} belongs to another deployment on this server or to another MASTER_KEY"
        )));
    }
    let statements = format!(
        "alter role {role} with login noinherit connection limit {connections}; {}",
        own_rights(master_key, organisation)?
    );
    // Postgres refuses to change a role at the same moment from two databases.
    for _ in 0..5 {
        match execute(owner, statements.clone()).await {
            Err(error) if has_code(&error, &["XX000"]) => tokio::task::yield_now().await,
            other => return Ok(other?),
        }
    }
    Ok(execute(owner, statements).await?)
}

/// What a role may change of itself: its password and the settings that its sessions start with.
fn own_rights(master_key: &MasterKey, organisation: OrganisationId) -> Result<String> {
    let role = name(organisation);
    let verifier = verifier(password(master_key, organisation)?.reveal(), salt(), ROUNDS_DERIVED)?;
    let mut statements = format!("alter role {role} password '{verifier}'; alter role {role} reset all;");
    for (setting, value) in [("search_path", role.as_str())].into_iter().chain(SETTINGS) {
        statements.push_str(&format!("alter role {role} set {setting} = '{value}';"));
    }
    Ok(statements)
}

/// Brings password and settings of an existing role back to what they must be. A role that was shut out stays so.
///
/// # Errors
/// When there is no such role, or it belongs to another deployment.
pub async fn heal(
    owner: &mut PgConnection,
    master_key: &MasterKey,
    organisation: OrganisationId,
) -> Result<()> {
    let role = name(organisation);
    if comment(owner, &role).await?.flatten().as_deref() != Some(mark(master_key)?.as_str()) {
        return Err(Error::internal(format!("role {role} is not this deployment's")));
    }
    Ok(execute(owner, own_rights(master_key, organisation)?).await?)
}

/// The comment of a role; the outer option says whether the role exists.
async fn comment(owner: &mut PgConnection, role: &str) -> Result<Option<Option<String>>> {
    Ok(sqlx::query_scalar("select shobj_description(oid, 'pg_authid') from pg_roles where rolname = $1")
        .bind(role)
        .fetch_optional(owner)
        .await?)
}

/// Makes the schema; it belongs to the service's own login.
///
/// # Errors
/// When the login may not create schemas.
pub async fn create_schema(owner: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    Ok(execute(owner, format!("create schema if not exists {}", name(organisation))).await?)
}

/// Gives the role its rights on all present and later tables of its schema, and on nothing else.
///
/// # Errors
/// When the role or the schema is missing.
pub async fn grant(owner: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    Ok(execute(owner, rights(organisation)).await?)
}

/// The statements that give the rights.
pub(crate) fn rights(organisation: OrganisationId) -> String {
    let role = name(organisation);
    let schema = &role;
    format!(
        "grant usage on schema {schema} to {role};
         grant select, insert, update, delete on all tables in schema {schema} to {role};
         grant usage on all sequences in schema {schema} to {role};
         alter default privileges in schema {schema}
             grant select, insert, update, delete on tables to {role};
         alter default privileges in schema {schema} grant usage on sequences to {role};
         do $$
         begin
             if to_regclass('{schema}._sqlx_migrations') is not null then
                 revoke all on {schema}._sqlx_migrations from {role};
             end if;
             if to_regclass('{schema}.audit_entries') is not null then
                 revoke insert, update, delete on {schema}.audit_entries, {schema}.audit_watched,
                     {schema}.audit_parts from {role};
             end if;
             if to_regclass('{schema}.audit_journal') is not null then
                 revoke insert, update, delete on {schema}.audit_journal from {role};
             end if;
             if to_regclass('{schema}.proof_seals') is not null then
                 revoke insert, update, delete on {schema}.proof_seals, {schema}.proof_seal_starts from {role};
             end if;
         end
         $$;"
    )
}

/// Locks the role out and ends its sessions on the connected database, so that nothing more is written.
/// [`ensure`] lets it in again.
///
/// # Errors
/// When a session does not end within five seconds.
pub async fn shut_out(owner: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    let role = name(organisation);
    if comment(owner, &role).await?.is_none() {
        return Ok(());
    }
    let mut transaction = owner.begin().await?;
    execute(&mut transaction, format!("alter role {role} nologin; grant {role} to current_user")).await?;
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1")
        .bind(&role)
        .execute(&mut *transaction)
        .await?;
    execute(&mut transaction, format!("revoke {role} from current_user")).await?;
    transaction.commit().await?;
    for _ in 0..100 {
        let left: i64 = sqlx::query_scalar("select count(*) from pg_stat_activity where usename = $1")
            .bind(&role)
            .fetch_one(&mut *owner)
            .await?;
        if left == 0 {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    Err(Error::conflict(format!("Sessions of {role} do not end. Please try again.")))
}

/// Drops the role once nothing on the server refers to it. Answers whether it is gone; a role that still has rights
/// in another database of the server stays.
///
/// # Errors
/// When the login may not drop the role.
pub async fn drop_role(owner: &mut PgConnection, organisation: OrganisationId) -> Result<bool> {
    match execute(owner, format!("drop role if exists {}", name(organisation))).await {
        Ok(()) => Ok(true),
        Err(error) if has_code(&error, &["2BP01"]) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Runs statements made of names that this crate made itself: identifiers cannot be bound.
pub(crate) async fn execute(connection: &mut PgConnection, statements: String) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(connection).await.map(|_| ())
}

/// Whether a database error has one of the given SQLSTATE codes.
pub(crate) fn has_code(error: &sqlx::Error, codes: &[&str]) -> bool {
    error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| codes.contains(&code.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> MasterKey {
        MasterKey::new(text.to_owned()).unwrap()
    }

    #[test]
    fn passwords_differ_between_organisations_and_keys_and_are_not_printed() {
        let (one, two) = (key("4f1d2c3b5a69788796a5b4c3d2e1f00f"), key("4f1d2c3b5a69788796a5b4c3d2e1f00e"));
        let text = |key: &MasterKey, id| password(key, OrganisationId::new(id)).unwrap().reveal().to_owned();
        assert_eq!(text(&one, 5), text(&one, 5));
        assert_eq!(text(&one, 5).len(), 43);
        assert_ne!(text(&one, 5), text(&one, 6));
        assert_ne!(text(&one, 5), text(&two, 5));
        let printed = format!("{:?}", password(&one, OrganisationId::new(5)).unwrap());
        assert!(!printed.contains(&text(&one, 5)));
    }

    /// The exchange printed in RFC 7677, section 3: the verifier must lead to its server signature and must accept
    /// its client proof.
    #[test]
    fn the_verifier_passes_the_exchange_of_rfc_7677() {
        let salt: [u8; 16] = STANDARD.decode("W22ZaJ0SNY7soEsUEjb6gQ==").unwrap().try_into().unwrap();
        let text = verifier("pencil", salt, ROUNDS_CHOSEN).unwrap();
        let keys = text.strip_prefix("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$").unwrap();
        let (stored, server) = keys.split_once(':').unwrap();
        let nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        let message = format!(
            "n=user,r=rOprNGfwEbeRWgbNEkqO,r={nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r={nonce}"
        );
        let signature = keyed_hash(&STANDARD.decode(server).unwrap(), message.as_bytes()).unwrap();
        assert_eq!(STANDARD.encode(signature), "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");

        let stored = STANDARD.decode(stored).unwrap();
        let proof = STANDARD.decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=").unwrap();
        let client_signature = keyed_hash(&stored, message.as_bytes()).unwrap();
        let client_key: Vec<u8> = proof.iter().zip(client_signature).map(|(a, b)| a ^ b).collect();
        assert_eq!(Sha256::digest(client_key).as_slice(), stored);
    }
}
