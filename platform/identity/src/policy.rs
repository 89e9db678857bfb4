//! What roles and organisations may do: casbin policies built from our own tables, held in memory per organisation and
//! replaced when the control plane announces a change. A poll of `policy_changes` makes up for a lost announcement.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};
use chrono_tz::Tz;
use dashmap::DashMap;
use routewright_core::error::Kind;
use routewright_core::{Clock, Error, Module, OrganisationId, Result};
use serde_json::Value;
use sqlx::PgPool;
use tokio::sync::Notify;
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

/// How often `policy_changes` is read, so that a change is in force within a second even if its announcement is lost.
const POLL: Duration = Duration::from_millis(400);
/// Shortest time between two readings, however often they are asked for: every login of the database can announce.
const PAUSE: Duration = Duration::from_millis(20);

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
    /// Differs between two readings of the same organisation: what was made for an older one, such as a connection to a
    /// schema that has been restored since, is out of date.
    pub reading: u64,
    /// When it was read, seconds since 1970.
    read_at: i64,
    state: String,
    fault: Option<String>,
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
}

/// The policies of all organisations that this process has met.
#[derive(Clone)]
pub struct Policies {
    directory: PgPool,
    clock: Clock,
    known: Arc<DashMap<i64, Arc<Policy>>>,
    /// Counts what was forgotten, so that a policy read before a change is not kept after it.
    forgotten: Arc<AtomicU64>,
    handled: Arc<Mutex<BTreeSet<i64>>>,
    hinted: Arc<Notify>,
}

/// How many of the newest changes are read again at every poll: a transaction that commits late may have a smaller
/// number than one that was seen already.
const OVERLAP: i64 = 500;

impl Policies {
    /// Reads from `directory`, a pool whose search path is the control schema.
    #[must_use]
    pub fn new(directory: PgPool, clock: Clock) -> Self {
        Self {
            directory,
            clock,
            known: Arc::default(),
            forgotten: Arc::default(),
            handled: Arc::default(),
            hinted: Arc::default(),
        }
    }

    /// The policy of an organisation.
    ///
    /// # Errors
    /// 401 when there is no such organisation.
    pub async fn of(&self, organisation: OrganisationId) -> Result<Arc<Policy>> {
        if let Some(policy) = self.known.get(&organisation.get()) {
            return Ok(Arc::clone(&policy));
        }
        let before = self.forgotten.load(Ordering::SeqCst);
        let policy = Arc::new(self.load(organisation, before).await?);
        if self.forgotten.load(Ordering::SeqCst) == before {
            self.known.insert(organisation.get(), Arc::clone(&policy));
        }
        Ok(policy)
    }

    /// The policy read anew, unless somebody else has just done so.
    pub(crate) async fn again(&self, old: &Arc<Policy>) -> Result<Arc<Policy>> {
        let organisation = old.organisation;
        if self.known.get(&organisation.get()).is_some_and(|held| Arc::ptr_eq(&held, old)) {
            self.forget(organisation);
        }
        self.of(organisation).await
    }

    /// Forgets an organisation, so that the next request reads it anew.
    pub fn forget(&self, organisation: OrganisationId) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.known.remove(&organisation.get());
    }

    /// Forgets everything, after announcements may have been missed.
    pub fn forget_all(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.known.clear();
    }

    /// Organisations that are in use, for work that looks at all of them.
    ///
    /// # Errors
    /// Database faults.
    pub async fn organisations(&self) -> Result<Vec<OrganisationId>> {
        Ok(sqlx::query_scalar(
            "select id from organisations
             where state = 'ready' and deleted_at is null and parent_organisation_id is null order by id",
        )
        .fetch_all(&self.directory)
        .await?)
    }

    /// Says that something may have changed: [`Policies::watch`] looks at once. What has changed is read from the
    /// control schema, so that a false hint costs one reading and no more.
    pub fn hint(&self) {
        self.hinted.notify_one();
    }

    /// Watches `policy_changes` for the life of the process.
    pub async fn watch(self) {
        loop {
            if let Err(error) = self.poll().await {
                tracing::warn!(%error, "policy changes cannot be read");
                // What is held may be stale for as long as changes cannot be read.
                self.forget_all();
            }
            tokio::time::sleep(PAUSE).await;
            // Either way it is time to look.
            drop(tokio::time::timeout(POLL, self.hinted.notified()).await);
        }
    }

    /// Reads the newest changes and forgets the organisations they concern.
    ///
    /// # Errors
    /// Database faults.
    pub async fn poll(&self) -> Result<()> {
        let newest = self.handled.lock().unwrap_or_else(PoisonError::into_inner).last().copied().unwrap_or(0);
        let changes: Vec<(i64, i64)> =
            sqlx::query_as("select seq, organisation_id from policy_changes where seq > $1 order by seq")
                .bind(newest - OVERLAP)
                .fetch_all(&self.directory)
                .await?;
        for (seq, organisation) in changes {
            let new = self.handled.lock().unwrap_or_else(PoisonError::into_inner).insert(seq);
            if new {
                self.forget(OrganisationId::new(organisation));
            }
        }
        let mut handled = self.handled.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = handled.last().copied().unwrap_or(0);
        *handled = handled.split_off(&(newest - 2 * OVERLAP));
        Ok(())
    }

    /// The e-mail address of a user who is not deleted.
    ///
    /// # Errors
    /// Database faults.
    pub async fn email_of(&self, user: i64) -> Result<Option<String>> {
        Ok(sqlx::query_scalar("select email from users where id = $1 and deleted_at is null")
            .bind(user)
            .fetch_optional(&self.directory)
            .await?)
    }

    /// The name of an organisation or haulier that is not deleted.
    ///
    /// # Errors
    /// Database faults.
    pub async fn name_of(&self, organisation: i64) -> Result<Option<String>> {
        Ok(sqlx::query_scalar("select name from organisations where id = $1 and deleted_at is null")
            .bind(organisation)
            .fetch_optional(&self.directory)
            .await?)
    }

    async fn load(&self, organisation: OrganisationId, reading: u64) -> Result<Policy> {
        let row: Option<OrganisationRow> = sqlx::query_as(
            "select name, timezone, settings, modules, logo_file_uid, is_master, placement, state, schema_error,
                 extract(epoch from now())::bigint as read_at
             from organisations where id = $1 and deleted_at is null and parent_organisation_id is null",
        )
        .bind(organisation)
        .fetch_optional(&self.directory)
        .await?;
        let row = row.ok_or_else(Error::bad_token)?;
        let roles: Vec<(i64, Vec<String>)> =
            sqlx::query_as("select id, access_levels from roles where organisation_id = $1")
                .bind(organisation)
                .fetch_all(&self.directory)
                .await?;
        let users: Vec<(i64, i64, Option<i64>, i32, String)> = sqlx::query_as(
            "select id, role_id, haulier_id, session_epoch,
                 coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), split_part(email, '@', 1))
             from users where organisation_id = $1 and deleted_at is null",
        )
        .bind(organisation)
        .fetch_all(&self.directory)
        .await?;
        let hauliers: Vec<i64> = sqlx::query_scalar(
            "select id from organisations where parent_organisation_id = $1 and deleted_at is null",
        )
        .bind(organisation)
        .fetch_all(&self.directory)
        .await?;
        // A minute more, because the clocks of two replicas may differ.
        let ended: Vec<Uuid> = sqlx::query_scalar(
            "select f.id from refresh_families f join users u on u.id = f.user_id
             where u.organisation_id = $1 and f.revoked_at > $2",
        )
        .bind(organisation)
        .bind(self.clock.now() - ACCESS_LIFE - chrono::TimeDelta::minutes(1))
        .fetch_all(&self.directory)
        .await?;
        let (levels, modules) = decide(organisation, &roles, &row.modules).await.map_err(Error::internal)?;
        Ok(Policy {
            organisation,
            name: row.name,
            timezone: row.timezone.parse().unwrap_or(Tz::UTC),
            settings: row.settings,
            logo_file_uid: row.logo_file_uid,
            is_master: row.is_master,
            placement: row.placement,
            reading,
            read_at: row.read_at,
            state: row.state,
            fault: row.schema_error,
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

#[derive(sqlx::FromRow)]
struct OrganisationRow {
    name: String,
    timezone: String,
    settings: Value,
    modules: Vec<String>,
    logo_file_uid: Option<String>,
    is_master: bool,
    placement: String,
    state: String,
    schema_error: Option<String>,
    read_at: i64,
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
