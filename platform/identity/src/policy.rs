//! What roles and organisations may do: casbin policies built from our own tables.

use std::collections::{HashMap, HashSet};

use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use routewright_core::error::Kind;
use routewright_core::{Clock, Error, Module, OrganisationId, Result, SimulatedTime};
use routewright_governor::Share;
use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use crate::token::ACCESS_LIFE;

/// Roles hold access levels, organisations hold modules; both are plain subject-object rules.
const MODEL: &str = "
[request_definition]
r = sub, obj
[policy_definition]
p = sub, obj
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.obj == p.obj
";

/// A user as authorisation sees it.
#[derive(Debug, Clone)]
pub struct Member {
    /// The role.
    pub role_id: i64,
    /// Haulier the user works for.
    pub haulier_id: Option<i64>,
    /// Tokens of an older epoch are stale.
    pub epoch: i32,
    /// First and last name, else the part of the address before the @.
    pub name: String,
}

/// What makes an organisation a rehearsal: nothing in it is real, it lives on its own time, and nothing leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rehearsal {
    /// The organisation whose people rehearse in it.
    pub made_from: OrganisationId,
    /// The user who made it, in whose name its day is planned.
    pub made_by: Option<i64>,
    /// What decides everything that happens by chance.
    pub seed: i64,
    /// The first simulated moment of its day.
    pub begins: DateTime<Utc>,
    /// Its time.
    pub time: SimulatedTime,
    /// Whether its day was planned and its time has begun.
    pub started: bool,
    /// When it is removed by itself, in real time.
    pub remove_at: DateTime<Utc>,
}

/// Everything authorisation needs to know about one organisation.
pub struct Policy {
    /// The organisation.
    pub organisation: OrganisationId,
    /// Its name.
    pub name: String,
    /// Its time zone.
    pub timezone: Tz,
    /// Its settings (contract §7.1) as stored.
    pub settings: Value,
    /// Its logo.
    pub logo_file_uid: Option<String>,
    /// Whether it is the Master organisation.
    pub is_master: bool,
    /// Where its schema lives.
    pub placement: String,
    /// What makes it a rehearsal; `None` for an organisation in earnest.
    pub rehearsal: Option<Rehearsal>,
    /// Most pieces of heavy work at the same time that operators allow it; `None` for the usual.
    pub heavy_work_at_once: Option<usize>,
    /// Most requests that are answered at the same time that operators allow it; `None` for the usual.
    pub requests_at_once: Option<usize>,
    /// Differs between two readings of the same organisation: what was made for an older one, such as a connection to a
    /// schema that has been restored since, is out of date.
    pub reading: u64,
    /// When it was read, seconds since 1970.
    read_at: i64,
    state: String,
    fault: Option<String>,
    suspended: bool,
    members: HashMap<i64, Member>,
    hauliers: HashSet<i64>,
    /// casbin walks all rules at every question, so its answers are computed once per role.
    levels: HashMap<i64, HashSet<String>>,
    modules: HashSet<Module>,
    /// Sessions of its users that ended while an access token of theirs may not have expired yet.
    ended: HashSet<Uuid>,
}

impl std::fmt::Debug for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Policy({})", self.organisation)
    }
}

impl Policy {
    /// The organisation's share of the requests that are answered at the same time, as large as operators allow.
    #[must_use]
    pub fn requests(&self) -> Share {
        Share::from(self.organisation).at_once(self.requests_at_once)
    }

    /// The organisation's present moment, by which everything that happens in it is judged: simulated in a rehearsal. What
    /// protects the platform (tokens, limits, the audit trail) goes by the clock itself.
    #[must_use]
    pub fn now(&self, clock: &Clock) -> DateTime<Utc> {
        let real = clock.now();
        self.rehearsal.map_or(real, |rehearsal| rehearsal.time.at(real))
    }

    /// A moment of the machine's clock as the organisation sees it: simulated in a rehearsal, as far as its time was not turned
    /// since.
    #[must_use]
    pub fn moment(&self, real: DateTime<Utc>) -> DateTime<Utc> {
        self.rehearsal.map_or(real, |rehearsal| rehearsal.time.at(real))
    }

    /// The organisation's day at that moment, on its own clocks.
    #[must_use]
    pub fn today(&self, clock: &Clock) -> NaiveDate {
        self.now(clock).with_timezone(&self.timezone).date_naive()
    }

    /// Whether a role holds an access level.
    #[must_use]
    pub fn holds(&self, role: i64, level: &str) -> bool {
        self.levels.get(&role).is_some_and(|levels| levels.contains(level))
    }

    /// Whether the organisation has a module.
    #[must_use]
    pub fn has(&self, module: Module) -> bool {
        self.modules.contains(&module)
    }

    /// The organisation's modules.
    #[must_use]
    pub fn modules(&self) -> Vec<Module> {
        Module::ALL.into_iter().filter(|module| self.has(*module)).collect()
    }

    /// A user of the organisation who is not deleted.
    #[must_use]
    pub fn member(&self, user: i64) -> Option<&Member> {
        self.members.get(&user)
    }

    /// Whether a session of one of its users was ended: signed out, copied, or by a new password elsewhere.
    #[must_use]
    pub fn has_ended(&self, session: Uuid) -> bool {
        self.ended.contains(&session)
    }

    /// Whether it is a haulier of the organisation that is not deleted.
    #[must_use]
    pub fn has_haulier(&self, haulier: i64) -> bool {
        self.hauliers.contains(&haulier)
    }

    /// Whether something that happened at `moment` (seconds since 1970) may be missing here. The clocks of two replicas
    /// may differ by a few seconds.
    pub(crate) fn may_precede(&self, moment: i64) -> bool {
        moment + 5 >= self.read_at
    }

    /// Refuses work while the organisation is being made, repaired or deleted.
    ///
    /// # Errors
    /// 503 with the reason.
    pub fn ready(&self) -> Result<()> {
        match self.state.as_str() {
            "ready" => Ok(()),
            "provisioning" => {
                Err(Error::new(Kind::Unavailable, "The organisation is being set up. Please try again.")
                    .retry_after(2))
            }
            "deleting" => Err(Error::bad_token()),
            _ => {
                let error = Error::new(
                    Kind::Unavailable,
                    "The organisation's database could not be updated. We are working on it!",
                );
                Err(match &self.fault {
                    Some(fault) => error.caused_by(fault.clone()),
                    None => error,
                })
            }
        }
    }

    /// Whether operators have suspended the organisation.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.suspended
    }

    /// Refuses users while operators have suspended the organisation.
    ///
    /// # Errors
    /// 403 with the code [`SUSPENDED`].
    pub fn admits_users(&self) -> Result<()> {
        if self.suspended { Err(suspended()) } else { Ok(()) }
    }

    /// Refuses links, drivers and background work while operators have suspended the organisation. What they bring is
    /// taken when it is resumed: the status is one after which it is brought again.
    ///
    /// # Errors
    /// 503 with the code [`SUSPENDED`].
    pub fn admits_others(&self) -> Result<()> {
        if !self.suspended {
            return Ok(());
        }
        let text = "This service is not available at the moment. Nothing is lost. Please try again later, or ask the \
                    company that sent you this link.";
        Err(Error::new(Kind::Unavailable, text).code(SUSPENDED).retry_after(60))
    }

    /// Reads everything from the control schema. `reading` numbers the readings of this process.
    ///
    /// # Errors
    /// 401 when there is no such organisation; database faults.
    pub(crate) async fn read(
        directory: &PgPool,
        now: DateTime<Utc>,
        organisation: OrganisationId,
        reading: u64,
    ) -> Result<Self> {
        let row: Option<OrganisationRow> = sqlx::query_as(
            "select name, timezone, settings, modules, logo_file_uid, is_master, placement, heavy_work_at_once,
                 requests_at_once, state, schema_error,
                 suspended_at is not null as suspended,
                 extract(epoch from now())::bigint as read_at
             from organisations where id = $1 and deleted_at is null and parent_organisation_id is null",
        )
        .bind(organisation)
        .fetch_optional(directory)
        .await?;
        let row = row.ok_or_else(Error::bad_token)?;
        let roles: Vec<(i64, Vec<String>)> =
            sqlx::query_as("select id, access_levels from roles where organisation_id = $1")
                .bind(organisation)
                .fetch_all(directory)
                .await?;
        let users: Vec<(i64, i64, Option<i64>, i32, String)> = sqlx::query_as(
            "select id, role_id, haulier_id, session_epoch,
                 coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), split_part(email, '@', 1))
             from users where organisation_id = $1 and deleted_at is null",
        )
        .bind(organisation)
        .fetch_all(directory)
        .await?;
        let hauliers: Vec<i64> = sqlx::query_scalar(
            "select id from organisations where parent_organisation_id = $1 and deleted_at is null",
        )
        .bind(organisation)
        .fetch_all(directory)
        .await?;
        // A minute more, because the clocks of two replicas may differ.
        let ended: Vec<Uuid> = sqlx::query_scalar(
            "select f.id from refresh_families f join users u on u.id = f.user_id
             where u.organisation_id = $1 and f.revoked_at > $2",
        )
        .bind(organisation)
        .bind(now - ACCESS_LIFE - chrono::TimeDelta::minutes(1))
        .fetch_all(directory)
        .await?;
        let rehearsal: Option<RehearsalRow> = sqlx::query_as(
            "select made_from, made_by, seed, begins, began, origin, ends, speed, paused, started_at is not null as started, remove_at
             from rehearsals where organisation_id = $1",
        )
        .bind(organisation)
        .fetch_optional(directory)
        .await?;
        let (levels, modules) = decide(organisation, &roles, &row.modules).await.map_err(Error::internal)?;
        Ok(Self {
            organisation,
            name: row.name,
            timezone: row.timezone.parse().unwrap_or(Tz::UTC),
            settings: row.settings,
            logo_file_uid: row.logo_file_uid,
            is_master: row.is_master,
            placement: row.placement,
            rehearsal: rehearsal.map(Rehearsal::from),
            heavy_work_at_once: row.heavy_work_at_once.and_then(|number| number.try_into().ok()),
            requests_at_once: row.requests_at_once.and_then(|number| number.try_into().ok()),
            reading,
            read_at: row.read_at,
            state: row.state,
            fault: row.schema_error,
            suspended: row.suspended,
            members: users
                .into_iter()
                .map(|(id, role_id, haulier_id, epoch, name)| {
                    (id, Member { role_id, haulier_id, epoch, name })
                })
                .collect(),
            hauliers: hauliers.into_iter().collect(),
            levels,
            modules,
            ended: ended.into_iter().collect(),
        })
    }
}

/// Machine-readable code of refusals because of a suspension.
pub const SUSPENDED: &str = "organisation_suspended";

/// What users of a suspended organisation are told.
#[must_use]
pub fn suspended() -> Error {
    let text =
        "Your organisation is suspended. Nothing is lost. Please ask whoever runs this service for you.";
    Error::new(Kind::Forbidden, text).code(SUSPENDED)
}

#[derive(sqlx::FromRow)]
struct OrganisationRow {
    name: String,
    timezone: String,
    settings: Value,
    modules: Vec<String>,
    logo_file_uid: Option<String>,
    is_master: bool,
    placement: String,
    heavy_work_at_once: Option<i16>,
    requests_at_once: Option<i16>,
    state: String,
    schema_error: Option<String>,
    suspended: bool,
    read_at: i64,
}

#[derive(sqlx::FromRow)]
struct RehearsalRow {
    made_from: OrganisationId,
    made_by: Option<i64>,
    seed: i64,
    begins: DateTime<Utc>,
    began: DateTime<Utc>,
    origin: DateTime<Utc>,
    ends: DateTime<Utc>,
    speed: i16,
    paused: bool,
    started: bool,
    remove_at: DateTime<Utc>,
}

impl From<RehearsalRow> for Rehearsal {
    fn from(row: RehearsalRow) -> Self {
        let RehearsalRow {
            made_from,
            made_by,
            seed,
            begins,
            began,
            origin,
            ends,
            speed,
            paused,
            started,
            remove_at,
        } = row;
        // Until the day is planned, its time stands where it will begin.
        let time = SimulatedTime { began, origin, ends, speed, paused: paused || !started };
        Self { made_from, made_by, seed, begins, time, started, remove_at }
    }
}

/// Lets casbin decide every role and level, every module.
async fn decide(
    organisation: OrganisationId,
    roles: &[(i64, Vec<String>)],
    module_keys: &[String],
) -> casbin::Result<(HashMap<i64, HashSet<String>>, HashSet<Module>)> {
    let mut enforcer = Enforcer::new(DefaultModel::from_str(MODEL).await?, MemoryAdapter::default()).await?;
    let subject = format!("organisation:{organisation}");
    let mut rules: Vec<Vec<String>> =
        module_keys.iter().map(|key| vec![subject.clone(), format!("module:{key}")]).collect();
    for (role, levels) in roles {
        rules.extend(levels.iter().map(|level| vec![format!("role:{role}"), format!("level:{level}")]));
    }
    rules.sort();
    rules.dedup();
    enforcer.add_policies(rules).await?;

    let mut decided = HashMap::new();
    for (role, levels) in roles {
        let mut held = HashSet::new();
        for level in levels {
            if enforcer.enforce((format!("role:{role}"), format!("level:{level}")))? {
                held.insert(level.clone());
            }
        }
        decided.insert(*role, held);
    }
    let mut modules = HashSet::new();
    for module in Module::ALL {
        if enforcer.enforce((subject.clone(), format!("module:{}", module.key())))? {
            modules.insert(module);
        }
    }
    Ok((decided, modules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn casbin_gives_roles_their_levels_and_organisations_their_modules() -> casbin::Result<()> {
        let roles = vec![
            (1, vec!["jobs_read".to_owned(), "jobs_write".to_owned()]),
            (2, vec![]),
            (3, vec!["jobs_read".to_owned()]),
        ];
        let (levels, modules) =
            decide(OrganisationId::new(9), &roles, &["units".to_owned(), "unknown".to_owned()]).await?;
        assert!(levels[&1].contains("jobs_write") && levels[&3].contains("jobs_read"));
        assert!(levels[&2].is_empty() && !levels[&3].contains("jobs_write"));
        assert_eq!(modules, HashSet::from([Module::Units]));
        Ok(())
    }
}
