//! Making, changing and removing users, by administrators.

use routewright_core::{Error, Given, OrganisationId, Result};
use routewright_tenancy::{Db, resource};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::address::{self, Wanted, WayIn, email_taken};
use super::email_change;
use super::model::{User, UserFields};
use super::password::{self, Secret};
use crate::active_scenario;
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::invitation;
use crate::last_administrator::{self, is_administrator};
use crate::notice::{self, Addressee};
use crate::roles::DRIVER;
use crate::scope::{self, Place};
use crate::sign_in::sessions;

/// Which users a call is about: driver users have their own path and access levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any user; `/users`.
    User,
    /// Users with the built-in role `driver`; `/drivers/users`.
    Driver,
}

/// Text where somebody changes the own address or password among the users.
const OWN: &str = "Please change your own e-mail address and password on your account page";

const NEEDED: [(&str, &str); 3] = [
    ("email", "Email is required"),
    ("first_name", "First name is required"),
    ("last_name", "Last name is required"),
];

/// The password that is given for a user, hashed, if one is given; or what is wrong with it, which is told only when nothing else
/// is.
pub(crate) type Asked = Result<Option<Secret>>;

/// Hashes the password that is given for a user, new or known by its id, without a connection.
///
/// # Errors
/// 503 when no connection comes free afterwards.
pub(crate) async fn secret(
    app: &App,
    db: &mut Db,
    actor: &Actor,
    given: &Given<UserFields>,
    user: Option<(i64, Kind)>,
) -> Result<Asked> {
    let fields = &given.value;
    let new = fields.new_password.as_deref().filter(|_| user.is_some());
    let Some(password) = new.or(fields.password.as_deref()).filter(|text| !text.is_empty()) else {
        return Ok(Ok(None));
    };
    let (organisation, field) = match whose(db, actor, given, user).await {
        Ok(whose) => whose,
        Err(error) => return Ok(Err(error)),
    };
    let user = user.map(|(id, _)| id);
    Ok(db.outside(Secret::of(app, organisation, user, field, password)).await?.map(Some))
}

/// By which organisation's rules a password is judged, and the field that holds it.
async fn whose(
    connection: &mut PgConnection,
    actor: &Actor,
    given: &Given<UserFields>,
    user: Option<(i64, Kind)>,
) -> Result<(OrganisationId, &'static str)> {
    let Some((id, kind)) = user else {
        let fields = &given.value;
        let place = scope::place(connection, actor, fields.organisation_id, fields.haulier_id).await?;
        return Ok((place.organisation, "password"));
    };
    let before = manageable(connection, actor, id, kind).await?;
    refuse_own(actor, id, false, true)?;
    Ok((moved(connection, actor, &before, given).await?.organisation, "new_password"))
}

/// Makes a user, with the password that [`secret`] hashed.
///
/// # Errors
/// 400 naming the field; 403 for a role or organisation that the caller may not give.
pub(crate) async fn insert(
    app: &App,
    connection: &mut PgConnection,
    actor: &Actor,
    mut given: Given<UserFields>,
    kind: Kind,
    secret: Asked,
) -> Result<User> {
    let mut needed = NEEDED.to_vec();
    if kind == Kind::User {
        needed.push(("role_id", "Role is required"));
    }
    let password = given.value.password.clone().filter(|password| !password.is_empty());
    let invited = given.value.invite == Some(true);
    let lacks_password = kind == Kind::User && password.is_none() && !invited;
    UserFields::check(&mut given, &needed).or_else(|error| missing_password(error, lacks_password))?;
    if lacks_password {
        return Err(Error::field("password", "Password is required"));
    }
    if invited && password.is_some() {
        return Err(Error::field("password", "Who is invited chooses the password: leave it empty"));
    }
    let fields = &given.value;
    let place = scope::place(connection, actor, fields.organisation_id, fields.haulier_id).await?;
    let role = match kind {
        Kind::User => fields.role_id,
        Kind::Driver => Some(driver_role(connection, place.organisation).await?),
    };
    let role = grantable(connection, actor, place.organisation, role).await?;
    let wanted = Wanted {
        email: given.fields.get("email").and_then(Value::as_str).unwrap_or_default(),
        organisation: place.organisation,
        user: None,
        at_once: password.is_some(),
    };
    let awaits = address::claim(app, connection, actor, wanted).await?;
    active_scenario::require(app, place.organisation, given.value.active_scenario).await?;
    let secret = secret?;
    put(&mut given, place, role);
    given.fields.insert("awaits_address".to_owned(), awaits.into());
    if let Some(secret) = &secret {
        given.fields.insert("password_hash".to_owned(), secret.hash().into());
        given.fields.insert("password_changed_at".to_owned(), json!(app.clock.now()));
    }
    let user = resource::insert::<User>(connection, &actor.caller, given).await.map_err(email_taken)?;
    if let Some(secret) = &secret {
        password::remember(connection, user.id, secret.hash()).await?;
    }
    if invited && !awaits {
        invitation::send(app, connection, place.organisation, user.id).await?;
    }
    scope::announce(connection, place.organisation).await?;
    Entry::new("user_created", format!("user:{}", user.id))
        .of(place.organisation)
        .after(&user)
        .write(connection, actor)
        .await?;
    Ok(user)
}

/// A new user lacks the password as well as other fields: all of it is told at once.
fn missing_password(error: Error, lacks_password: bool) -> Result<()> {
    if !lacks_password {
        return Err(error);
    }
    let mut problems = routewright_core::error::Problems::default();
    for (field, reason) in error.named_fields() {
        problems.add(field.clone(), reason.clone());
    }
    problems.add("password", "Password is required");
    problems.finish()
}

/// Changes a user, with the password that [`secret`] hashed.
///
/// # Errors
/// 404; 400 naming the field; 403 for a user, role or organisation beyond the caller's rights.
pub(crate) async fn change(
    app: &App,
    connection: &mut PgConnection,
    actor: &Actor,
    id: i64,
    mut given: Given<UserFields>,
    kind: Kind,
    secret: Asked,
) -> Result<User> {
    let before = manageable(connection, actor, id, kind).await?;
    let needed: Vec<_> = NEEDED
        .into_iter()
        .chain([("role_id", "Role is required"), ("organisation_id", "Organisation is required")])
        .filter(|(field, _)| given.has(field))
        .collect();
    UserFields::check(&mut given, &needed)?;
    let from = OrganisationId::new(before.organisation_id);
    let place = moved(connection, actor, &before, &given).await?;
    let asked = given.value.role_id.filter(|_| kind == Kind::User);
    let role = match asked {
        None if place.organisation == from => before.role_id,
        None if kind == Kind::Driver => driver_role(connection, place.organisation).await?,
        asked => grantable(connection, actor, place.organisation, asked).await?,
    };
    let invited = given.value.invite == Some(true);
    let email = given.fields.get("email").and_then(Value::as_str);
    let password =
        given.value.new_password.clone().or(given.value.password.clone()).filter(|text| !text.is_empty());
    let new_address = email.is_some_and(|email| email != before.email);
    refuse_own(actor, id, new_address, password.is_some())?;
    let way_in = WayIn::of(connection, id).await?;
    let anew =
        new_address || place.organisation != from || way_in.awaits_address && (invited || password.is_some());
    let awaits = if anew {
        let wanted = Wanted {
            email: email.unwrap_or(&before.email),
            organisation: place.organisation,
            user: Some(id),
            at_once: way_in.has_password || password.is_some(),
        };
        address::claim(app, connection, actor, wanted).await?
    } else {
        way_in.awaits_address
    };
    let secret = secret?;
    put(&mut given, place, role);
    given.fields.insert("awaits_address".to_owned(), awaits.into());
    if place.organisation != from {
        given.fields.insert("active_scenario".to_owned(), Value::Null);
    } else {
        active_scenario::require(app, from, given.value.active_scenario).await?;
    }
    let after = resource::update::<User>(connection, &actor.caller, id, given).await.map_err(email_taken)?;
    if let Some(secret) = &secret {
        password::set(app, connection, id, secret, None).await?;
    } else if place.organisation != from {
        sessions::end_all(app, connection, id, "organisation_changed").await?;
    }
    tell(connection, place.organisation, &before, &after, password.is_some()).await?;
    // After a new address has ended the links that went to the old one.
    if invited && !awaits {
        invitation::send(app, connection, place.organisation, id).await?;
    }
    scope::announce(connection, place.organisation).await?;
    if place.organisation != from {
        scope::announce(connection, from).await?;
    }
    if is_administrator(&before.role.access_levels) && before.haulier_id.is_none() {
        last_administrator::require(connection, from).await?;
    }
    let action = if password.is_some() { "user_changed_with_password" } else { "user_changed" };
    Entry::new(action, format!("user:{id}"))
        .of(place.organisation)
        .before(&before)
        .after(&after)
        .write(connection, actor)
        .await?;
    Ok(after)
}

/// The own address and password are changed where the present password is asked for, by administrators too.
fn refuse_own(actor: &Actor, id: i64, new_address: bool, new_password: bool) -> Result<()> {
    if actor.caller.user_id() != Some(id) {
        return Ok(());
    }
    let mut problems = routewright_core::error::Problems::default();
    problems.require(!new_address, "email", OWN);
    problems.require(!new_password, "new_password", OWN);
    problems.finish()
}

/// An administrator's change is in force at once, for a mailbox may be lost; the person is told where the mails went until
/// now. Links that are on their way were meant for the old address.
async fn tell(
    connection: &mut PgConnection,
    organisation: OrganisationId,
    before: &User,
    after: &User,
    new_password: bool,
) -> Result<()> {
    let old = Addressee::from(before);
    if after.email != before.email {
        sessions::cancel_links(connection, after.id).await?;
        email_change::cancel(connection, after.id).await?;
        notice::address_changed(connection, organisation, &old, &after.email).await?;
    }
    if new_password {
        notice::password_changed(connection, organisation, &old, true).await?;
    }
    Ok(())
}

/// The user, if the caller may change it: nobody changes a user who holds more than they do, because a new password or
/// address would give them that user's rights.
pub(super) async fn manageable(
    connection: &mut PgConnection,
    actor: &Actor,
    id: i64,
    kind: Kind,
) -> Result<User> {
    let user = resource::find::<User>(connection, &actor.caller, id).await?;
    within_rights(actor, user, kind)
}

/// The user, if the caller may change it.
pub(super) fn within_rights(actor: &Actor, user: User, kind: Kind) -> Result<User> {
    if kind == Kind::Driver && user.role.name != DRIVER {
        return Err(Error::not_found("Driver user"));
    }
    if scope::may_grant(&actor.caller, &user.role.access_levels) { Ok(user) } else { Err(Error::denied()) }
}

async fn moved(
    connection: &mut PgConnection,
    actor: &Actor,
    before: &User,
    given: &Given<UserFields>,
) -> Result<Place> {
    let stays =
        Place { organisation: OrganisationId::new(before.organisation_id), haulier: before.haulier_id };
    match (given.value.organisation_id, given.has("haulier_id"), given.value.haulier_id) {
        (None, false, _) => Ok(stays),
        // The form sends back what it was shown.
        (Some(organisation), false, _) if organisation == before.organisation_id => Ok(stays),
        (organisation, _, haulier) => {
            let organisation = organisation.or(Some(before.organisation_id));
            scope::place(connection, actor, organisation, haulier).await
        }
    }
}

fn put(given: &mut Given<UserFields>, place: Place, role: i64) {
    given.fields.insert("organisation_id".to_owned(), place.organisation.get().into());
    given.fields.insert("haulier_id".to_owned(), place.haulier.into());
    given.fields.insert("role_id".to_owned(), role.into());
    for secret in ["password", "new_password", "invite"] {
        given.fields.remove(secret);
    }
}

/// The role, if it exists in the organisation and the caller holds all that it gives.
async fn grantable(
    connection: &mut PgConnection,
    actor: &Actor,
    organisation: OrganisationId,
    role: Option<i64>,
) -> Result<i64> {
    let Some(role) = role else { return Err(Error::field("role_id", "Role is required")) };
    let levels: Option<Vec<String>> =
        sqlx::query_scalar("select access_levels from roles where id = $1 and organisation_id = $2")
            .bind(role)
            .bind(organisation)
            .fetch_optional(connection)
            .await?;
    let levels = levels.ok_or_else(|| Error::field("role_id", "Role does not exist"))?;
    if scope::may_grant(&actor.caller, &levels) { Ok(role) } else { Err(Error::denied()) }
}

async fn driver_role(connection: &mut PgConnection, organisation: OrganisationId) -> Result<i64> {
    Ok(sqlx::query_scalar("select id from roles where organisation_id = $1 and built_in and name = $2")
        .bind(organisation)
        .bind(DRIVER)
        .fetch_one(connection)
        .await?)
}
