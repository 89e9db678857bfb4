//! Migrations of the schema `control` and of every organisation's schema.

use std::collections::HashSet;

use futures_util::{StreamExt as _, stream};
use routewright_core::{Error, OrganisationId, Result};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, PgPool};

use crate::files::{CONTROL, TENANT};
use crate::mark;
use crate::placement::{self, Placements};
use crate::role;

/// Members may read what the tenant service needs to know of the control plane, and count wrong tokens of links.
pub const DIRECTORY_ROLE: &str = "routewright_directory";

/// What [`DIRECTORY_ROLE`] reads: table and columns. Password hashes are not among them.
const DIRECTORY: [(&str, &str); 6] = [
    (
        "organisations",
        "id, name, timezone, settings, modules, parent_organisation_id, email, phone_number, logo_file_uid,
         is_master, state, schema_version, schema_error, placement, canary, heavy_work_at_once,
         requests_at_once, suspended_at, deleted_at,
         created, modified",
    ),
    ("roles", "id, organisation_id, name, access_levels, built_in, created, modified"),
    (
        "users",
        "id, organisation_id, role_id, haulier_id, email, first_name, last_name, phone_number,
         personal_data_consent, active_scenario, last_login, session_epoch, password_changed_at, deleted_at,
         created, modified",
    ),
    ("policy_changes", "seq, organisation_id, at"),
    ("refresh_families", "id, user_id, revoked_at"),
    (
        "rehearsals",
        "organisation_id, made_from, made_by, seed, begins, began, origin, ends, speed, paused, started_at, failure, remove_at,
         removing",
    ),
];

/// The version that this program brings organisations to.
#[must_use]
pub fn current_version() -> i64 {
    TENANT.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// A lock that lasts as long as its own connection: it ends with the process, whatever happens.
#[derive(Debug)]
pub(crate) struct Lock(PgConnection);

impl Lock {
    /// Waits for whoever works on the same thing.
    async fn take(options: &PgConnectOptions, name: &str) -> Result<Self> {
        let mut connection = options.clone().application_name("routewright lock").connect().await?;
        sqlx::query("select pg_advisory_lock(hashtextextended($1, 0))")
            .bind(format!("routewright {name}"))
            .execute(&mut connection)
            .await?;
        Ok(Self(connection))
    }

    /// The lock under which an organisation is provisioned, migrated, moved or removed.
    pub(crate) async fn organisation(control: &PgPool, organisation: OrganisationId) -> Result<Self> {
        Self::take(&control.connect_options(), &role::name(organisation)).await
    }

    /// The lock under which an organisation is copied into a file; work goes on meanwhile.
    pub(crate) async fn copy(control: &PgPool, organisation: OrganisationId) -> Result<Self> {
        Self::take(&control.connect_options(), &format!("copy of {}", role::name(organisation))).await
    }

    /// Gives the lock back before it answers.
    pub(crate) async fn release(self) -> Result<()> {
        Ok(self.0.close().await?)
    }
}

/// Brings the database of the placement `default` to what the control plane needs: closed to everybody, schema
/// `control` migrated, directory role in place. Safe to run from several processes at once. Answers the version.
///
/// # Errors
/// When a migration fails or the login does not own the database.
pub async fn migrate_control(owner: &PgConnectOptions) -> Result<i64> {
    let lock = Lock::take(owner, placement::CONTROL_SCHEMA).await?;
    let mut connection =
        owner.clone().options([("search_path", placement::CONTROL_SCHEMA)]).connect().await?;
    placement::close_database(&mut connection).await?;
    role::execute(&mut connection, format!("create schema if not exists {}", placement::CONTROL_SCHEMA))
        .await?;
    let version = run(&CONTROL, &mut connection).await?;
    grant_directory(&mut connection).await?;
    connection.close().await?;
    lock.release().await?;
    Ok(version)
}

async fn run(migrator: &Migrator, connection: &mut PgConnection) -> Result<i64> {
    // A migration that waits for a table makes everybody behind it wait too.
    sqlx::raw_sql("set lock_timeout = '10s'").execute(&mut *connection).await?;
    // Not `run`: through its `Acquire` bound the future would lose `Send`.
    migrator.run_direct(None, &mut *connection, false).await.map_err(Error::internal)?;
    let version: Option<i64> =
        sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(connection).await?;
    Ok(version.unwrap_or_default())
}

async fn grant_directory(owner: &mut PgConnection) -> Result<()> {
    // Roles are common to all databases of a server, so another deployment may be making it at this moment.
    let mut statements = format!(
        "do $$
         begin
             create role {DIRECTORY_ROLE} nologin;
         exception
             when duplicate_object or unique_violation then null;
         end
         $$;
         grant usage on schema {schema} to {DIRECTORY_ROLE};
         revoke all on all tables in schema {schema} from {DIRECTORY_ROLE};",
        schema = placement::CONTROL_SCHEMA
    );
    for (table, columns) in DIRECTORY {
        statements.push_str(&format!("grant select ({columns}) on {table} to {DIRECTORY_ROLE};"));
    }
    // Wrong tokens of links are counted by who sees them.
    statements.push_str(&format!("grant select, insert, update on rate_limits to {DIRECTORY_ROLE};"));
    Ok(role::execute(owner, statements).await?)
}

/// Makes a login, or sets the password of an existing one, that may read the directory and nothing else: for tenant
/// services that must not hold the owner's password.
///
/// # Errors
/// 400 when the name is no plain lower-case name; otherwise when the owner may not create roles.
pub async fn create_directory_login(owner: &mut PgConnection, name: &str, password: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !starts_well || name.len() > 63 || !name.chars().all(plain) {
        return Err(Error::field("name", "Name is made of lower-case letters, digits and _"));
    }
    if name.starts_with("org_") || name.starts_with("pg_") || name == DIRECTORY_ROLE {
        return Err(Error::field("name", "This name is reserved"));
    }
    if password.len() < 16 || !password.is_ascii() {
        return Err(Error::field("password", "Password needs at least 16 ASCII characters"));
    }
    let taken: bool = sqlx::query_scalar(
        "select exists (
             select from pg_roles
             where rolname = $1 and not pg_has_role(oid, $2, 'member')
         )",
    )
    .bind(name)
    .bind(DIRECTORY_ROLE)
    .fetch_one(&mut *owner)
    .await?;
    if taken {
        return Err(Error::field("name", "This role exists and is no directory login"));
    }
    let verifier = role::salted_verifier(password)?;
    let statements = format!(
        "do $$
         begin
             create role \"{name}\" inherit;
         exception
             when duplicate_object or unique_violation then null;
         end
         $$;
         grant {DIRECTORY_ROLE} to \"{name}\";
         alter role \"{name}\" with login inherit password '{verifier}';
         alter role \"{name}\" set search_path = '{schema}';
         alter role \"{name}\" set default_transaction_read_only = on;
         alter role \"{name}\" set statement_timeout = '30s'",
        schema = placement::CONTROL_SCHEMA
    );
    Ok(role::execute(owner, statements).await?)
}

/// How the migration of one organisation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// At this version.
    Migrated(i64),
    /// Marked as failed; the reason is also in `organisations.schema_error`.
    Failed(String),
    /// Left alone, because a canary failed.
    Skipped,
}

/// What [`migrate_all`] did, by organisation.
#[derive(Debug, Default)]
pub struct Report(pub Vec<(OrganisationId, Outcome)>);

impl Report {
    /// Whether every organisation is migrated.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.0.iter().all(|(_, outcome)| matches!(outcome, Outcome::Migrated(_)))
    }
}

/// What [`migrate_all`] needs to know of an organisation.
#[derive(sqlx::FromRow)]
struct Candidate {
    id: OrganisationId,
    placement: String,
    canary: bool,
    state: String,
    schema_version: Option<i64>,
    schema_error: Option<String>,
}

impl Candidate {
    /// Whether nothing is left to do: the record says so, and the schema itself bears the mark of this program.
    fn is_current(&self, marked: &HashSet<(String, String)>) -> bool {
        self.state == "ready"
            && self.schema_error.is_none()
            && self.schema_version == Some(current_version())
            && marked.contains(&(self.placement.clone(), role::name(self.id)))
    }
}

/// Migrates all organisations that are in use, `parallel` at a time, canaries first. When a canary fails the rest is
/// left alone; any other failure marks that organisation and the others go on. To be repeated until it succeeds.
/// Organisations that this program has migrated before cost no more than their place in a list.
///
/// # Errors
/// When the control schema cannot be read or written.
pub async fn migrate_all(control: &PgPool, placements: &Placements, parallel: usize) -> Result<Report> {
    let candidates: Vec<Candidate> = sqlx::query_as(
        "select id, placement, canary, state, schema_version, schema_error from organisations
         where parent_organisation_id is null and state in ('ready', 'failed') order by id",
    )
    .fetch_all(control)
    .await?;
    let marked = mark::marked(placements).await;
    let (canaries, rest): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|one| one.canary);
    let mut report = Report::default();
    for (group, is_canary) in [(canaries, true), (rest, false)] {
        if !is_canary && !report.succeeded() {
            report.0.extend(group.into_iter().map(|one| (one.id, Outcome::Skipped)));
            continue;
        }
        let (current, behind): (Vec<_>, Vec<_>) = group.into_iter().partition(|one| one.is_current(&marked));
        report.0.extend(current.into_iter().map(|one| (one.id, Outcome::Migrated(current_version()))));
        let mut outcomes = stream::iter(behind)
            .map(|one| async move { (one.id, migrate_organisation(control, placements, one.id).await) })
            .buffer_unordered(parallel.max(1));
        while let Some((id, outcome)) = outcomes.next().await {
            report.0.push((id, outcome?));
        }
    }
    Ok(report)
}

/// Migrates one organisation that is in use and records how it went. It renews the rights also where nothing is new.
///
/// # Errors
/// When the control schema cannot be read or written; a failing migration is an outcome, not an error.
pub async fn migrate_organisation(
    control: &PgPool,
    placements: &Placements,
    organisation: OrganisationId,
) -> Result<Outcome> {
    let lock = Lock::organisation(control, organisation).await?;
    // Read again under the lock: it may have been moved or deleted since.
    let row: Option<(String,)> = sqlx::query_as(
        "select placement from organisations
         where id = $1 and parent_organisation_id is null and state in ('ready', 'failed')",
    )
    .bind(organisation)
    .fetch_optional(control)
    .await?;
    let outcome = match row {
        None => Outcome::Skipped,
        Some((placement,)) => match migrate_at(placements, &placement, organisation).await {
            Ok(version) => Outcome::Migrated(version),
            Err(error) => Outcome::Failed(reason(&error)),
        },
    };
    record(control, organisation, &outcome).await?;
    lock.release().await?;
    Ok(outcome)
}

async fn migrate_at(placements: &Placements, placement: &str, organisation: OrganisationId) -> Result<i64> {
    let mut owner = placements.connect_owner(placement, organisation).await?;
    let version = migrate_schema(&mut owner, organisation).await?;
    owner.close().await?;
    Ok(version)
}

/// Migrates the schema that the connection works in, renews the rights of its role and marks it. The caller holds the lock.
pub(crate) async fn migrate_schema(owner: &mut PgConnection, organisation: OrganisationId) -> Result<i64> {
    // What the audit trail keeps of a table's rows can be read as long as the table is the same.
    let unfold =
        "do $$ begin if to_regproc('audit_unfold') is not null then perform audit_unfold(); end if; end $$";
    role::execute(owner, unfold.to_owned()).await?;
    let version = run(&TENANT, owner).await?;
    // Sent together, so that they are one transaction: no mark without the rights.
    // Columns that were added are watched by the audit trail too.
    let watch = "select audit_watch_all();";
    let statements = format!("{watch} {} {}", role::rights(organisation), mark::statement(organisation));
    role::execute(owner, statements).await?;
    Ok(version)
}

/// The text of `schema_error`: what operators need, on one screen.
pub(crate) fn reason(error: &Error) -> String {
    error.causes().unwrap_or_else(|| error.description()).chars().take(1000).collect()
}

async fn record(control: &PgPool, organisation: OrganisationId, outcome: &Outcome) -> Result<()> {
    let (version, error) = match outcome {
        Outcome::Migrated(version) => (Some(*version), None),
        Outcome::Failed(reason) => (None, Some(reason.as_str())),
        Outcome::Skipped => return Ok(()),
    };
    if let Some(reason) = error {
        tracing::error!(%organisation, reason, "migration failed");
    }
    let mut transaction = control.begin().await?;
    let before: String =
        sqlx::query_scalar("select state from organisations where id = $1 for no key update")
            .bind(organisation)
            .fetch_one(&mut *transaction)
            .await?;
    let after = if error.is_some() { "failed" } else { "ready" };
    if before == "ready" || before == "failed" {
        sqlx::query(
            "update organisations
             set state = $2, schema_version = coalesce($3, schema_version), schema_error = $4 where id = $1",
        )
        .bind(organisation)
        .bind(after)
        .bind(version)
        .bind(error)
        .execute(&mut *transaction)
        .await?;
        if before != after {
            announce_policy(&mut transaction, organisation).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Records that what others hold in memory about the organisation is out of date, and tells them when the
/// transaction commits. The caller has locked the organisation's row.
///
/// # Errors
/// When the database fails.
pub async fn announce_policy(control: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    sqlx::query(
        "with change as (
             insert into policy_changes (organisation_id) values ($1) returning organisation_id
         )
         select pg_notify('routewright', json_build_object('policy', organisation_id)::text) from change",
    )
    .bind(organisation)
    .execute(control)
    .await?;
    Ok(())
}

/// Where an organisation stands, for operators.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow, serde::Serialize)]
pub struct Version {
    /// The organisation.
    pub id: OrganisationId,
    /// Its name.
    pub name: String,
    /// The database that it lives in.
    pub placement: String,
    /// `provisioning`, `ready`, `failed` or `deleting`.
    pub state: String,
    /// The last migration that succeeded; the newest is [`current_version`].
    pub version: Option<i64>,
    /// Why the last migration failed.
    pub error: Option<String>,
}

/// All organisations that have a schema, with its version.
///
/// # Errors
/// When the database fails.
pub async fn versions(control: &PgPool) -> Result<Vec<Version>> {
    Ok(sqlx::query_as(
        "select id, name, placement, state, schema_version as version, schema_error as error
         from organisations where parent_organisation_id is null order by id",
    )
    .fetch_all(control)
    .await?)
}
