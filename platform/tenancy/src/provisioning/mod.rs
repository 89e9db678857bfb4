//! Making, keeping and removing organisations.
//!
//! An organisation is made in steps, each of which may be repeated and is recorded when it is finished. Whatever
//! stops in between, [`Provisioning::advance`] goes on where it stopped. One lock per organisation keeps
//! provisioning, migration, moving and removal apart, over all processes.

mod deletion;
mod dump;
mod new;
mod transfer;

use std::sync::Arc;

use chrono::NaiveDate;
use chrono_tz::Tz;
use futures_util::{StreamExt as _, stream};
use routewright_core::{Clock, Error, OrganisationId, Result};
use sqlx::{Connection as _, PgConnection, PgPool};

pub use new::{DEFAULT_MODULES, MASTER, NewAdmin, NewOrganisation, insert_organisation};

use crate::migration::{self, Lock};
use crate::placement::{self, Placements};
use crate::role;

/// Organisations that are finished at the same time.
const AT_ONCE: usize = 4;

/// A step of provisioning, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The organisation's login role.
    Role,
    /// Its schema and the role's rights in it.
    Schema,
    /// The tables.
    Migrations,
    /// The first rows.
    Defaults,
    /// Open for business.
    Ready,
}

impl Step {
    /// All steps in their order.
    pub const ALL: [Self; 5] = [Self::Role, Self::Schema, Self::Migrations, Self::Defaults, Self::Ready];

    /// The name in the database.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Schema => "schema",
            Self::Migrations => "migrations",
            Self::Defaults => "defaults",
            Self::Ready => "ready",
        }
    }
}

/// Makes the token that opens a scenario's sockets; link tokens carry the organisation and are signed elsewhere.
pub type ScenarioToken = Arc<dyn Fn(OrganisationId) -> String + Send + Sync>;

/// Provisioning of organisations.
#[derive(Clone)]
pub struct Provisioning {
    control: PgPool,
    placements: Placements,
    clock: Clock,
    scenario_token: ScenarioToken,
}

impl std::fmt::Debug for Provisioning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provisioning").field("placements", &self.placements).finish_non_exhaustive()
    }
}

/// What the steps need to know of an organisation.
#[derive(Debug, sqlx::FromRow)]
struct Row {
    placement: String,
    timezone: String,
    state: String,
    is_master: bool,
}

impl Provisioning {
    /// `control` is a pool made from [`Placements::control`].
    #[must_use]
    pub fn new(control: PgPool, placements: Placements, clock: Clock, scenario_token: ScenarioToken) -> Self {
        Self { control, placements, clock, scenario_token }
    }

    /// Makes an organisation and brings it to `ready`.
    ///
    /// # Errors
    /// 400 or 409 when the organisation is not acceptable: then nothing is left of it. Any other error leaves it in
    /// state `provisioning`, from where [`Self::advance`] or [`Self::advance_all`] goes on.
    pub async fn create_organisation(&self, new: &NewOrganisation) -> Result<OrganisationId> {
        self.placements.owner(&new.placement)?;
        let mut transaction = self.control.begin().await?;
        let organisation = insert_organisation(&mut transaction, new).await?;
        transaction.commit().await?;
        self.advance(organisation).await?;
        Ok(organisation)
    }

    /// The organisation of the platform's own users: made when it is missing, finished when it is not ready, given
    /// `admin` when it has no user.
    ///
    /// # Errors
    /// As [`Self::create_organisation`].
    pub async fn ensure_master(&self, timezone: Tz, admin: Option<NewAdmin>) -> Result<OrganisationId> {
        let mut transaction = self.control.begin().await?;
        sqlx::query("select pg_advisory_xact_lock(hashtextextended('routewright master', 0))")
            .execute(&mut *transaction)
            .await?;
        let found: Option<OrganisationId> =
            sqlx::query_scalar("select id from organisations where is_master")
                .fetch_optional(&mut *transaction)
                .await?;
        let organisation = match found {
            Some(organisation) => {
                let staffed: bool = sqlx::query_scalar(
                    "select exists (select from users where organisation_id = $1 and deleted_at is null)",
                )
                .bind(organisation)
                .fetch_one(&mut *transaction)
                .await?;
                if let (false, Some(admin)) = (staffed, &admin) {
                    new::insert_admin(&mut transaction, organisation, admin).await?;
                }
                organisation
            }
            None => {
                let new = NewOrganisation { admin, ..NewOrganisation::named(MASTER, timezone) };
                new::insert(&mut transaction, &new, true).await?
            }
        };
        transaction.commit().await?;
        self.advance(organisation).await?;
        Ok(organisation)
    }

    /// Does all steps that are left. Waits for another process that is at it.
    ///
    /// # Errors
    /// 404 for an unknown organisation, 409 for one that is being deleted, and whatever stops a step: the reason is
    /// also kept in `organisations.schema_error`.
    pub async fn advance(&self, organisation: OrganisationId) -> Result<()> {
        let lock = Lock::organisation(&self.control, organisation).await?;
        self.advance_locked(organisation).await?;
        lock.release().await
    }

    /// Does the next step that is left and answers it; none when the organisation is ready.
    ///
    /// # Errors
    /// As [`Self::advance`].
    pub async fn advance_once(&self, organisation: OrganisationId) -> Result<Option<Step>> {
        let lock = Lock::organisation(&self.control, organisation).await?;
        let row = self.row(organisation).await?;
        let next = self.steps_left(organisation).await?.into_iter().next();
        if let Some(step) = next {
            let mut owner = self.placements.connect_owner(&row.placement, organisation).await?;
            self.take(step, &mut owner, organisation, &row).await?;
            owner.close().await?;
        }
        lock.release().await?;
        Ok(next)
    }

    /// Finishes every organisation that something interrupted: to be called when the service starts, and now and then.
    /// Answers those that still are not ready, with the reason. What somebody else works on is waited for.
    ///
    /// # Errors
    /// When the control schema cannot be read.
    pub async fn advance_all(&self) -> Result<Vec<(OrganisationId, Error)>> {
        let left: Vec<OrganisationId> = sqlx::query_scalar(
            "select id from organisations
             where state = 'provisioning' and parent_organisation_id is null order by id",
        )
        .fetch_all(&self.control)
        .await?;
        let advanced = stream::iter(left)
            .map(async |organisation| (organisation, self.advance(organisation).await))
            .buffer_unordered(AT_ONCE);
        let failed =
            advanced.filter_map(async |(organisation, outcome)| Some((organisation, outcome.err()?)));
        Ok(failed.collect().await)
    }

    async fn advance_locked(&self, organisation: OrganisationId) -> Result<()> {
        let row = self.row(organisation).await?;
        let left = self.steps_left(organisation).await?;
        if left.is_empty() {
            return Ok(());
        }
        let outcome = async {
            let mut owner = self.placements.connect_owner(&row.placement, organisation).await?;
            for step in left {
                self.take(step, &mut owner, organisation, &row).await?;
            }
            Ok(owner.close().await?)
        }
        .await;
        if let Err(error) = &outcome {
            sqlx::query(
                "update organisations set schema_error = $2 where id = $1 and state = 'provisioning'",
            )
            .bind(organisation)
            .bind(migration::reason(error))
            .execute(&self.control)
            .await?;
        }
        outcome
    }

    async fn row(&self, organisation: OrganisationId) -> Result<Row> {
        let row = self.row_in_any_state(organisation).await?;
        if row.state == "deleting" {
            return Err(Error::conflict("The organisation is being deleted"));
        }
        Ok(row)
    }

    async fn row_in_any_state(&self, organisation: OrganisationId) -> Result<Row> {
        sqlx::query_as(
            "select placement, timezone, state, is_master from organisations
             where id = $1 and parent_organisation_id is null",
        )
        .bind(organisation)
        .fetch_optional(&self.control)
        .await?
        .ok_or_else(|| Error::not_found("Organisation"))
    }

    async fn steps_left(&self, organisation: OrganisationId) -> Result<Vec<Step>> {
        let finished: Vec<String> =
            sqlx::query_scalar("select step from provisioning_steps where organisation_id = $1")
                .bind(organisation)
                .fetch_all(&self.control)
                .await?;
        Ok(Step::ALL.into_iter().filter(|step| !finished.iter().any(|key| key == step.key())).collect())
    }

    async fn take(
        &self,
        step: Step,
        owner: &mut PgConnection,
        organisation: OrganisationId,
        row: &Row,
    ) -> Result<()> {
        let mut version = None;
        match step {
            Step::Role => {
                let connections = self.placements.connections_per_organisation();
                role::ensure(owner, self.placements.master_key(), organisation, connections).await?;
            }
            Step::Schema => {
                placement::close_database(owner).await?;
                transfer::settle(owner, organisation).await?;
                role::create_schema(owner, organisation).await?;
                role::grant(owner, organisation).await?;
            }
            Step::Migrations => version = Some(migration::migrate_schema(owner, organisation).await?),
            Step::Defaults => self.first_rows(owner, organisation, &row.timezone).await?,
            Step::Ready => return self.open(organisation).await,
        }
        let mut transaction = self.control.begin().await?;
        if let Some(version) = version {
            sqlx::query("update organisations set schema_version = $2 where id = $1")
                .bind(organisation)
                .bind(version)
                .execute(&mut *transaction)
                .await?;
        }
        record(&mut transaction, organisation, step).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The scenario of today, so that there always is a last one.
    async fn first_rows(
        &self,
        owner: &mut PgConnection,
        organisation: OrganisationId,
        timezone: &str,
    ) -> Result<()> {
        let zone: Tz = timezone.parse().unwrap_or(Tz::UTC);
        let today: NaiveDate = self.clock.today(zone);
        sqlx::query(
            "insert into scenarios (name, scheduled_date, ws_token)
             select 'Scenario 1', $1, $2 where not exists (select from scenarios)",
        )
        .bind(today)
        .bind((self.scenario_token)(organisation))
        .execute(owner)
        .await?;
        Ok(())
    }

    async fn open(&self, organisation: OrganisationId) -> Result<()> {
        let mut transaction = self.control.begin().await?;
        sqlx::query(
            "update organisations set state = 'ready', schema_error = null
             where id = $1 and state = 'provisioning'",
        )
        .bind(organisation)
        .execute(&mut *transaction)
        .await?;
        record(&mut transaction, organisation, Step::Ready).await?;
        migration::announce_policy(&mut transaction, organisation).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Takes the organisation out of service: until [`Self::advance`] brings it back, callers get 503. Whatever
    /// happens after this, nothing but the steps is needed to open it again.
    async fn take_out_of_service(&self, organisation: OrganisationId, why: &str) -> Result<()> {
        let mut transaction = self.control.begin().await?;
        sqlx::query(
            "update organisations set state = 'provisioning', schema_error = $2, deleted_at = null
             where id = $1",
        )
        .bind(organisation)
        .bind(why)
        .execute(&mut *transaction)
        .await?;
        sqlx::query("delete from provisioning_steps where organisation_id = $1 and step <> 'defaults'")
            .bind(organisation)
            .execute(&mut *transaction)
            .await?;
        migration::announce_policy(&mut transaction, organisation).await?;
        transaction.commit().await?;
        Ok(())
    }
}

async fn record(control: &mut PgConnection, organisation: OrganisationId, step: Step) -> Result<()> {
    sqlx::query(
        "insert into provisioning_steps (organisation_id, step) values ($1, $2)
         on conflict (organisation_id, step) do nothing",
    )
    .bind(organisation)
    .bind(step.key())
    .execute(control)
    .await?;
    Ok(())
}
