//! Rules for passwords, one set per organisation (S-35).

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::http::respond::Created;
use routewright_core::http::{Body, Path};
use routewright_core::list::{Filter, ListQuery, Listed, Shape, Where};
use routewright_core::{Access, Error, Given, OrganisationId, Result, Routes};
use routewright_identity::Caller;
use routewright_identity::password::LONGEST;
use routewright_tenancy::resource::{BulkItem, Deleted};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{AssertSqlSafe, FromRow, PgConnection};

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::scope;

const READ: Access = Access::levels(&["password_policy_read"]);
const WRITE: Access = Access::levels(&["password_policy_write"]);

/// No organisation's passwords are shorter, whatever its rules say.
const SHORTEST: i32 = 8;

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/password_policy", READ, resource::filters::<PasswordPolicy>(), list)
        .post("/password_policy", WRITE, create)
        .patch("/password_policy/bulk", WRITE, patch_bulk)
        .get("/password_policy/{id}", READ, get)
        .patch("/password_policy/{id}", WRITE, patch)
        .delete("/password_policy/{id}", WRITE, delete)
}

/// The rules of an organisation.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct PasswordPolicy {
    /// Id.
    pub(crate) id: i64,
    /// Whose rules.
    pub(crate) organisation_id: i64,
    /// Shortest password.
    pub(crate) min_length: i32,
    /// Whether an upper-case letter is needed.
    pub(crate) require_uppercase: bool,
    /// Whether a lower-case letter is needed.
    pub(crate) require_lowercase: bool,
    /// Whether a digit is needed.
    pub(crate) require_digit: bool,
    /// Whether a character is needed that is neither letter nor digit.
    pub(crate) require_special: bool,
    /// How many of the last passwords cannot be used again.
    pub(crate) history: i32,
    /// After how many days a password must be changed.
    pub(crate) max_age_days: Option<i32>,
    /// Failed sign-ins until an account is locked.
    pub(crate) lockout_attempts: i32,
    /// How long it is locked, minutes.
    pub(crate) lockout_minutes: i32,
    /// When it was made.
    pub(crate) created: DateTime<Utc>,
    /// When it was last changed.
    pub(crate) modified: DateTime<Utc>,
}

/// What can be written of the rules.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct PasswordPolicyFields {
    /// Shortest password, 8 to 128, default 8.
    min_length: Option<i32>,
    /// Whether an upper-case letter is needed.
    require_uppercase: Option<bool>,
    /// Whether a lower-case letter is needed.
    require_lowercase: Option<bool>,
    /// Whether a digit is needed.
    require_digit: Option<bool>,
    /// Whether a special character is needed.
    require_special: Option<bool>,
    /// Last passwords that cannot be used again, 0 to 50.
    history: Option<i32>,
    /// Days until a password must be changed; null for never.
    max_age_days: Option<i32>,
    /// Failed sign-ins until lockout, default 10.
    lockout_attempts: Option<i32>,
    /// Minutes of a lockout, default 15.
    lockout_minutes: Option<i32>,
}

impl Resource for PasswordPolicy {
    const NAME: &'static str = "Password policy";
    const PATH: &'static str = "/password_policy";
    const TABLE: &'static str = "password_policies";
    const COLUMNS: &'static str = "id, organisation_id, greatest(min_length, 8) as min_length, require_uppercase, \
         require_lowercase, require_digit, require_special, history, max_age_days, lockout_attempts, lockout_minutes, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::id("organisation_id", "organisation_id")],
        search: &[],
        sort: &[("id", "id"), ("organisation_id", "organisation_id")],
        order: "id desc",
    };
    type Fields = PasswordPolicyFields;

    fn check(&self, problems: &mut Problems) {
        problems.require(
            (SHORTEST..=128).contains(&self.min_length),
            "min_length",
            "Value must be between 8 and 128",
        );
        problems.require((0..=50).contains(&self.history), "history", "Value must be between 0 and 50");
        let days = self.max_age_days.is_none_or(|days| (1..=3650).contains(&days));
        problems.require(days, "max_age_days", "Value must be between 1 and 3650");
        let attempts = (1..=1000).contains(&self.lockout_attempts);
        problems.require(attempts, "lockout_attempts", "Value must be between 1 and 1000");
        let minutes = (1..=1440).contains(&self.lockout_minutes);
        problems.require(minutes, "lockout_minutes", "Value must be between 1 and 1440");
    }

    fn prepare(given: &mut Given<PasswordPolicyFields>, _: &Caller, _: bool) -> Result<()> {
        let mut problems = Problems::default();
        for (field, value) in &given.fields {
            if value.is_null() && field != "max_age_days" {
                problems.add(field.clone(), "Value cannot be blank");
            }
        }
        // Out of the column's check would be a fault that names no reason.
        for (field, lowest, highest) in [
            ("min_length", i64::from(SHORTEST), 128),
            ("history", 0, 50),
            ("max_age_days", 1, 3650),
            ("lockout_attempts", 1, 1000),
            ("lockout_minutes", 1, 1440),
        ] {
            if let Some(value) = given.fields.get(field).and_then(Value::as_i64) {
                let reason = format!("Value must be between {lowest} and {highest}");
                problems.require((lowest..=highest).contains(&value), field, &reason);
            }
        }
        problems.finish()
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        scope::narrow(caller, conditions, "organisation_id");
    }
}

async fn list(db: Db, query: ListQuery) -> Result<Listed<PasswordPolicy>> {
    resource::list(db, query).await
}

async fn get(db: Db, id: Path<i64>) -> Result<Json<PasswordPolicy>> {
    resource::get(db, id).await
}

/// Every organisation has its rules from the start, so that this only makes them anew after they were deleted.
async fn create(
    mut db: Db,
    actor: Actor,
    mut given: Given<PasswordPolicyFields>,
) -> Result<Created<PasswordPolicy>> {
    scope::refuse_hauliers(&actor.caller)?;
    let organisation = actor.organisation()?;
    let exists: bool =
        sqlx::query_scalar("select exists (select from password_policies where organisation_id = $1)")
            .bind(organisation)
            .fetch_one(&mut *db)
            .await?;
    if exists {
        return Err(Error::conflict("The organisation has a password policy already"));
    }
    given.fields.insert("organisation_id".to_owned(), organisation.get().into());
    let policy = resource::insert::<PasswordPolicy>(&mut db, &actor.caller, given).await?;
    record(&mut db, &actor, "password_policy_created", None, Some(&policy)).await?;
    Ok(Created(policy))
}

async fn patch(
    mut db: Db,
    actor: Actor,
    Path(id): Path<i64>,
    given: Given<PasswordPolicyFields>,
) -> Result<Json<PasswordPolicy>> {
    change(&mut db, &actor, id, given).await.map(Json)
}

async fn patch_bulk(
    mut db: Db,
    actor: Actor,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<PasswordPolicy>>> {
    let mut changed = Vec::with_capacity(items.len());
    for item in items {
        changed.push(change(&mut db, &actor, item.id, Given::parse(Value::Object(item.change))?).await?);
    }
    Ok(Json(changed))
}

async fn change(
    db: &mut Db,
    actor: &Actor,
    id: i64,
    given: Given<PasswordPolicyFields>,
) -> Result<PasswordPolicy> {
    scope::refuse_hauliers(&actor.caller)?;
    let before = resource::find::<PasswordPolicy>(db, &actor.caller, id).await?;
    let after = resource::update::<PasswordPolicy>(db, &actor.caller, id, given).await?;
    record(db, actor, "password_policy_changed", Some(&before), Some(&after)).await?;
    Ok(after)
}

/// Puts the organisation back to the usual rules: an organisation without any would have no lockout.
async fn delete(mut db: Db, actor: Actor, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    scope::refuse_hauliers(&actor.caller)?;
    let before = resource::find::<PasswordPolicy>(&mut db, &actor.caller, id).await?;
    sqlx::query("delete from password_policies where id = $1").bind(id).execute(&mut *db).await?;
    sqlx::query("insert into password_policies (organisation_id) values ($1)")
        .bind(before.organisation_id)
        .execute(&mut *db)
        .await?;
    record(&mut db, &actor, "password_policy_reset", Some(&before), None).await?;
    Ok(Json(Deleted { id }))
}

async fn record(
    connection: &mut PgConnection,
    actor: &Actor,
    action: &'static str,
    before: Option<&PasswordPolicy>,
    after: Option<&PasswordPolicy>,
) -> Result<()> {
    let Some(policy) = after.or(before) else { return Ok(()) };
    Entry::new(action, format!("password_policy:{}", policy.id))
        .of(OrganisationId::new(policy.organisation_id))
        .before(&before)
        .after(&after)
        .write(connection, actor)
        .await
}

/// The rules of an organisation.
///
/// # Errors
/// Database faults.
pub(crate) async fn of(
    connection: &mut PgConnection,
    organisation: OrganisationId,
) -> Result<PasswordPolicy> {
    let statement =
        format!("select {} from password_policies where organisation_id = $1", PasswordPolicy::COLUMNS);
    Ok(sqlx::query_as(AssertSqlSafe(statement)).bind(organisation).fetch_one(connection).await?)
}

impl PasswordPolicy {
    /// The usual rules, for an organisation that does not exist yet.
    pub(crate) fn usual(now: DateTime<Utc>) -> Self {
        Self {
            id: 0,
            organisation_id: 0,
            min_length: SHORTEST,
            require_uppercase: false,
            require_lowercase: false,
            require_digit: false,
            require_special: false,
            history: 0,
            max_age_days: None,
            lockout_attempts: 10,
            lockout_minutes: 15,
            created: now,
            modified: now,
        }
    }

    /// What is wrong with a new password, under the name of the field that holds it.
    pub(crate) fn judge(&self, field: &str, password: &str, problems: &mut Problems) {
        let shortest = usize::try_from(self.min_length).unwrap_or(8);
        let has = |wanted: fn(char) -> bool| password.chars().any(wanted);
        let special = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let reason = if password.chars().count() < shortest {
            format!("Password must have at least {shortest} characters")
        } else if password.len() > LONGEST {
            format!("Password must have at most {LONGEST} characters")
        } else if password.trim().is_empty() {
            "Password cannot be blank".to_owned()
        } else if self.require_uppercase && !has(char::is_uppercase) {
            "Password must contain an upper-case letter".to_owned()
        } else if self.require_lowercase && !has(char::is_lowercase) {
            "Password must contain a lower-case letter".to_owned()
        } else if self.require_digit && !has(|c| c.is_ascii_digit()) {
            "Password must contain a digit".to_owned()
        } else if self.require_special && !has(special) {
            "Password must contain a special character".to_owned()
        } else {
            return;
        };
        problems.add(field, reason);
    }

    /// Hashes of the user's present password and the last ones, which cannot be used again; none where they may.
    ///
    /// # Errors
    /// Database faults.
    pub(crate) async fn used(&self, connection: &mut PgConnection, user: i64) -> Result<Vec<String>> {
        if self.history == 0 {
            return Ok(Vec::new());
        }
        Ok(sqlx::query_scalar(
            "select password_hash from users where id = $1 and password_hash is not null
             union
             (select password_hash from user_password_history where user_id = $1
              order by created desc, id desc limit $2)",
        )
        .bind(user)
        .bind(i64::from(self.history))
        .fetch_all(connection)
        .await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_its_text() {
        let mut policy = PasswordPolicy::usual(DateTime::UNIX_EPOCH);
        let judge = |policy: &PasswordPolicy, password: &str| {
            let mut problems = Problems::default();
            policy.judge("password", password, &mut problems);
            problems.into_fields().remove("password")
        };
        assert_eq!(judge(&policy, "Aa1!Aa1").as_deref(), Some("Password must have at least 8 characters"));
        assert_eq!(judge(&policy, "        ").as_deref(), Some("Password cannot be blank"));
        assert!(judge(&policy, &"x".repeat(201)).is_some_and(|text| text.contains("at most 200")));
        assert_eq!(judge(&policy, "ääääßßßß"), None);
        policy.require_uppercase = true;
        policy.require_lowercase = true;
        policy.require_digit = true;
        policy.require_special = true;
        for (password, reason) in [
            ("aaaa1111!", Some("Password must contain an upper-case letter")),
            ("AAAA1111!", Some("Password must contain a lower-case letter")),
            ("AAAAaaaa!", Some("Password must contain a digit")),
            ("AAAAaaaa1", Some("Password must contain a special character")),
            ("AAAAaaaa1!", None),
        ] {
            assert_eq!(judge(&policy, password).as_deref(), reason, "{password}");
        }
    }
}
