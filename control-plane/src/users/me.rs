//! A user's own account.

use axum::Json;
use axum::extract::State;
use routewright_core::{Error, Given, OrganisationId, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;

use super::model::UserFields;
use super::password;
use crate::active_scenario;
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::scope;
use crate::sign_in::{AuthUser, Presented, auth_user, sessions};

/// What users change of themselves.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Own {
    /// Whether the user agreed to the use of their data.
    personal_data_consent: Option<bool>,
    /// First name.
    first_name: Option<String>,
    /// Last name.
    last_name: Option<String>,
    /// Phone number in international format.
    phone_number: Option<String>,
    /// Address, unique on the platform.
    email: Option<String>,
    /// New password; ends all other sessions.
    #[serde(skip_serializing)]
    new_password: Option<String>,
    /// The scenario that opens first.
    active_scenario: Option<i64>,
}

/// `PATCH /users/me`. After a new password the answer carries new tokens of the same session.
pub(super) async fn patch(
    State(app): State<App>,
    actor: Actor,
    presented: Presented,
    mut db: Db,
    given: Given<Own>,
) -> Result<Json<AuthUser>> {
    let signed = actor.caller.user()?.clone();
    let home = signed.home.unwrap_or(actor.organisation()?);
    let mut own = Given::<UserFields>::parse(Value::Object(given.fields.clone()))?;
    let needed: Vec<_> = [
        ("email", "Email is required"),
        ("first_name", "First name is required"),
        ("last_name", "Last name is required"),
    ]
    .into_iter()
    .filter(|(field, _)| own.has(field))
    .collect();
    UserFields::check(&mut own, &needed)?;
    if signed.home.is_some() {
        // A scenario of the organisation that a Master user visits means nothing in its own account.
        own.fields.remove("active_scenario");
    } else {
        active_scenario::require(&app, home, own.value.active_scenario).await?;
    }
    scope::lock(&mut db, home).await?;
    store(&mut db, signed.user_id, &own.fields).await?;
    let password = given.value.new_password.as_deref().filter(|text| !text.is_empty());
    if let Some(password) = password {
        password::set(&app, &mut db, signed.user_id, home, password, presented.session).await?;
        scope::announce(&mut db, home).await?;
    }
    record(&mut db, &actor, signed.user_id, home, &own.fields, password.is_some()).await?;
    let mut user = auth_user(&app, &mut db, &actor.caller).await?;
    match presented.session.filter(|_| password.is_some()) {
        Some(session) => {
            let entered = signed.home.map(|_| actor.organisation()).transpose()?;
            user.take(sessions::renew(&app, &mut db, session, entered).await?);
        }
        None => user.keep(presented),
    }
    Ok(Json(user))
}

async fn store(
    connection: &mut PgConnection,
    user: i64,
    fields: &serde_json::Map<String, Value>,
) -> Result<()> {
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    if let Some(email) = text("email") {
        let taken: bool = sqlx::query_scalar(
            "select exists (select from users where lower(email) = lower($1) and deleted_at is null and id <> $2)",
        )
        .bind(email)
        .bind(user)
        .fetch_one(&mut *connection)
        .await?;
        if taken {
            return Err(Error::field("email", "A user with this e-mail address already exists"));
        }
    }
    sqlx::query(
        "update users set
             email = coalesce($2, email),
             first_name = coalesce($3, first_name),
             last_name = coalesce($4, last_name),
             phone_number = case when $5 then $6 else phone_number end,
             personal_data_consent = coalesce($7, personal_data_consent),
             active_scenario = case when $8 then $9 else active_scenario end
         where id = $1",
    )
    .bind(user)
    .bind(text("email"))
    .bind(text("first_name"))
    .bind(text("last_name"))
    .bind(fields.contains_key("phone_number"))
    .bind(text("phone_number"))
    .bind(fields.get("personal_data_consent").and_then(Value::as_bool))
    .bind(fields.contains_key("active_scenario"))
    .bind(fields.get("active_scenario").and_then(Value::as_i64))
    .execute(&mut *connection)
    .await?;
    if text("email").is_some() {
        sessions::cancel_links(connection, user).await?;
    }
    Ok(())
}

/// Which scenario is open is no matter for the record; the rest is.
async fn record(
    connection: &mut PgConnection,
    actor: &Actor,
    user: i64,
    home: OrganisationId,
    fields: &serde_json::Map<String, Value>,
    with_password: bool,
) -> Result<()> {
    let mut changed = fields.clone();
    changed.remove("active_scenario");
    if changed.is_empty() && !with_password {
        return Ok(());
    }
    let action = if with_password { "own_password_changed" } else { "own_account_changed" };
    Entry::new(action, format!("user:{user}")).of(home).after(&changed).write(connection, actor).await
}
