//! Self sign-up: a new organisation with its first administrator.

use axum::extract::State;
use chrono_tz::Tz;
use routewright_core::check::{self, is_email};
use routewright_core::error::Problems;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Result};
use routewright_tenancy::provisioning::{NewAdmin, NewOrganisation};
use schemars::JsonSchema;
use serde::Deserialize;

use super::attempts::{Limited, limit, minutes};
use super::auth_user::{AuthUser, just_signed_in};
use super::sessions::{self, Begun, Owner};
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::notice;
use crate::password_policy::PasswordPolicy;
use crate::{organisations, timezones};

/// Who signs up.
#[derive(Deserialize, JsonSchema)]
#[serde(default)]
#[derive(Default)]
pub(super) struct SignUp {
    /// Address, unique on the platform.
    email: Option<String>,
    /// Password.
    password: Option<String>,
    /// First name.
    first_name: Option<String>,
    /// Last name.
    last_name: Option<String>,
    /// Phone number.
    phone_number: Option<String>,
    /// Name of the new organisation.
    organisation_name: Option<String>,
    /// Its time zone; UTC unless given.
    timezone: Option<String>,
}

/// `POST /users/register`.
pub(super) async fn register(
    State(app): State<App>,
    actor: Actor,
    Body(sign_up): Body<SignUp>,
) -> Result<Created<AuthUser>> {
    if !app.config.deployment.self_signup {
        return Err(Error::denied());
    }
    let most = app.config.limits.sign_up;
    limit(&app, Limited { bucket: "sign_up", key: &actor.address, most, window: minutes(60) }).await?;
    let new = check(&app, sign_up).await?;
    let mut work = app.begin().await?;
    let organisation = match organisations::insert(&mut work, &new).await {
        Ok(organisation) => organisation,
        Err(error) => {
            drop(work);
            return Err(taken(&app, &actor, &new, error).await?);
        }
    };
    let user: i64 = sqlx::query_scalar("select id from users where organisation_id = $1")
        .bind(organisation)
        .fetch_one(&mut *work)
        .await?;
    Entry::new("organisation_created", format!("organisation:{organisation}"))
        .after(&serde_json::json!({ "name": new.name, "by": "sign_up" }))
        .write_for(&mut work, &actor, user, organisation)
        .await?;
    work.commit().await?;
    {
        // One after the other: a crowd that signs up makes nobody else wait for the database.
        let _turn = app.sign_ups.acquire().await.map_err(Error::internal)?;
        app.provisioning.advance(organisation).await?;
    }
    app.gate.policies.forget(organisation);

    let mut work = app.begin().await?;
    let owner = Owner { user_id: user, organisation_id: organisation, session_epoch: 0 };
    let tokens = sessions::start(&app, &mut work, owner, false, Begun::Password).await?;
    let user = just_signed_in(&app, &mut work, user, organisation).await?;
    work.commit().await?;
    Ok(Created(user.with(tokens)))
}

/// An address that somebody has cannot sign up: the answer is a session, which nobody else may get. So the refusal does tell;
/// it tells few addresses an hour, and whoever has the address learns of it.
async fn taken(app: &App, actor: &Actor, new: &NewOrganisation, error: Error) -> Result<Error> {
    if !error.named_fields().contains_key("email") {
        return Ok(error);
    }
    let most = app.config.limits.taken;
    limit(app, Limited { bucket: "sign_up_taken", key: &actor.address, most, window: minutes(60) }).await?;
    let email = new.admin.as_ref().map(|admin| admin.email.as_str()).unwrap_or_default();
    let mut work = app.begin().await?;
    notice::signed_up_again(&mut work, &app.config.deployment.public_url, email, app.clock.now()).await?;
    work.commit().await?;
    Ok(error)
}

async fn check(app: &App, sign_up: SignUp) -> Result<NewOrganisation> {
    let text = |value: &Option<String>| value.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let (email, name) = (text(&sign_up.email), text(&sign_up.organisation_name));
    let (first_name, last_name) = (text(&sign_up.first_name), text(&sign_up.last_name));
    let phone_number = Some(text(&sign_up.phone_number)).filter(|number| !number.is_empty());
    let password = sign_up.password.unwrap_or_default();
    let mut problems = Problems::default();
    for (field, value, reason) in [
        ("email", &email, "Email is required"),
        ("password", &password, "Password is required"),
        ("first_name", &first_name, "First name is required"),
        ("last_name", &last_name, "Last name is required"),
        ("organisation_name", &name, "Organisation is required"),
    ] {
        problems.require(!value.is_empty(), field, reason);
    }
    problems.require(is_email(&email), "email", check::EMAIL);
    for (field, value, longest) in
        [("first_name", &first_name, 100), ("last_name", &last_name, 100), ("organisation_name", &name, 200)]
    {
        problems.require(value.chars().count() <= longest, field, check::TOO_LONG);
        problems.require(!check::has_special(value), field, "Field can't contain special characters");
    }
    problems.phone("phone_number", phone_number.as_deref());
    PasswordPolicy::usual(app.clock.now()).judge("password", &password, &mut problems);
    problems.finish()?;
    let timezone = sign_up.timezone.as_deref().map(timezones::parse).transpose()?.unwrap_or(Tz::UTC);
    let password_hash = Some(app.passwords.hash(None, &password).await?);
    let admin = NewAdmin {
        email,
        password_hash,
        first_name: Some(first_name),
        last_name: Some(last_name),
        phone_number,
        personal_data_consent: false,
    };
    let settings = organisations::locale::settings(timezone);
    Ok(NewOrganisation { settings, admin: Some(admin), ..NewOrganisation::named(name, timezone) })
}
