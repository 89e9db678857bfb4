//! A user's own account.

use axum::Json;
use axum::extract::State;
use routewright_core::{Given, OrganisationId, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;

use super::model::UserFields;
use super::password::{self, Secret};
use super::{email_change, reauthentication};
use crate::active_scenario;
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::notice::{self, Addressee};
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
    /// New address; it takes effect when a link sent to it is followed. The present one takes the change back.
    email: Option<String>,
    /// New password; ends all other sessions.
    #[serde(skip_serializing)]
    new_password: Option<String>,
    /// The present password, for a new address or password. Not needed within 10 minutes of a sign-in at a provider.
    #[serde(skip_serializing)]
    current_password: Option<String>,
    /// The scenario that opens first.
    active_scenario: Option<i64>,
}

/// `PATCH /users/me`. After a new password the answer carries new tokens of the same session.
pub(super) async fn patch(
    State(app): State<App>,
    actor: Actor,
    presented: Presented,
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
    let user = signed.user_id;
    let password = given.value.new_password.as_deref().filter(|text| !text.is_empty());
    let email = address(&app, user, own.fields.remove("email")).await?;
    let next = email.as_ref().filter(|email| email.changes).map(|email| email.given.as_str());
    if password.is_some() || next.is_some() {
        let current = given.value.current_password.as_deref();
        reauthentication::require(&app, user, home, presented.session, current).await?;
    }
    if next.is_some() {
        email_change::admit(&app, user).await?;
    }
    let secret = match password {
        Some(password) => Some(Secret::of(&app, home, Some(user), "new_password", password).await?),
        None => None,
    };
    let mut work = app.begin().await?;
    scope::lock(&mut work, home).await?;
    store(&mut work, user, &own.fields).await?;
    match next {
        Some(next) => {
            email_change::ask(&app, &mut work, user, home, next).await?;
            own.fields.insert("pending_email".to_owned(), next.into());
        }
        None if email.is_some() => email_change::cancel(&mut work, user).await?,
        None => {}
    }
    if let Some(secret) = &secret {
        password::set(&app, &mut work, user, secret, presented.session).await?;
        let to = Addressee::of(&mut work, user).await?;
        notice::password_changed(&mut work, home, &to, false).await?;
        scope::announce(&mut work, home).await?;
    }
    record(&mut work, &actor, user, home, &own.fields, password.is_some()).await?;
    let mut answer = auth_user(&app, &mut work, &actor.caller).await?;
    match presented.session.filter(|_| password.is_some()) {
        Some(session) => {
            let entered = signed.home.map(|_| actor.organisation()).transpose()?;
            answer.take(sessions::renew(&app, &mut work, session, entered).await?);
        }
        None => answer.keep(presented),
    }
    work.commit().await?;
    Ok(Json(answer))
}

/// An address that was given.
struct Address {
    given: String,
    changes: bool,
}

async fn address(app: &App, user: i64, given: Option<Value>) -> Result<Option<Address>> {
    let Some(given) = given.as_ref().and_then(Value::as_str) else { return Ok(None) };
    let present: String = sqlx::query_scalar("select email from users where id = $1")
        .bind(user)
        .fetch_one(&app.control)
        .await?;
    Ok(Some(Address { given: given.to_owned(), changes: given != present }))
}

async fn store(
    connection: &mut PgConnection,
    user: i64,
    fields: &serde_json::Map<String, Value>,
) -> Result<()> {
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    sqlx::query(
        "update users set
             first_name = coalesce($2, first_name),
             last_name = coalesce($3, last_name),
             phone_number = case when $4 then $5 else phone_number end,
             personal_data_consent = coalesce($6, personal_data_consent),
             active_scenario = case when $7 then $8 else active_scenario end
         where id = $1",
    )
    .bind(user)
    .bind(text("first_name"))
    .bind(text("last_name"))
    .bind(fields.contains_key("phone_number"))
    .bind(text("phone_number"))
    .bind(fields.get("personal_data_consent").and_then(Value::as_bool))
    .bind(fields.contains_key("active_scenario"))
    .bind(fields.get("active_scenario").and_then(Value::as_i64))
    .execute(connection)
    .await?;
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
