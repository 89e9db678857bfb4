//! Making and changing organisations.

use chrono_tz::Tz;
use http::StatusCode;
use routewright_core::check::{self, is_email};
use routewright_core::error::{Kind, Problems};
use routewright_core::{Error, Given, OrganisationId, Result};
use routewright_tenancy::provisioning::{
    DEFAULT_MODULES, MASTER, NewAdmin, NewOrganisation, insert_organisation,
};
use routewright_tenancy::{Db, placement, resource};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use super::locale;
use super::model::{AdminFields, NewFields, Organisation, OrganisationFields};
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::password_policy::PasswordPolicy;
use crate::{invitation, modules, scope, timezones};

/// The limit of an organisation's heavy work.
const HEAVY_WORK: &str = "heavy_work_at_once";
/// The limit of its requests.
const REQUESTS: &str = "requests_at_once";

/// Adds an organisation to the control schema; provisioning does the rest.
///
/// # Errors
/// 400 naming the field.
pub(crate) async fn insert(connection: &mut PgConnection, new: &NewOrganisation) -> Result<OrganisationId> {
    insert_organisation(connection, new).await.map_err(|error| match error.kind() {
        // Which of the two unique things is taken is told by the text only.
        Kind::Conflict if error.description().contains("e-mail") => {
            Error::field("email", error.description()).caused_by(error)
        }
        Kind::Conflict => Error::field("name", error.description()).caused_by(error),
        _ => error,
    })
}

/// Makes an organisation and brings it to where its users can work. It is entered in the books first: whatever stops
/// the rest, background work goes on with it.
pub(super) async fn create(app: &App, db: &mut Db, actor: &Actor, new: NewFields) -> Result<Organisation> {
    let invited = new.admin.as_ref().is_some_and(|admin| admin.invite);
    let new = db.outside(check(app, new)).await??;
    let organisation = insert(db, &new).await?;
    if invited {
        let first: i64 = sqlx::query_scalar("select id from users where organisation_id = $1")
            .bind(organisation)
            .fetch_one(&mut **db)
            .await?;
        invitation::send(app, db, organisation, first).await?;
    }
    Entry::new("organisation_created", format!("organisation:{organisation}"))
        .of(organisation)
        .after(&json!({
            "name": new.name, "timezone": new.timezone.name(), "modules": new.modules,
            "placement": new.placement, "heavy_work_at_once": new.heavy_work_at_once,
            "requests_at_once": new.requests_at_once, "admin": new.admin.as_ref().map(|admin| &admin.email)
        }))
        .write(db, actor)
        .await?;
    // Asked again after this process was lost, it is the organisation that was made.
    let entered = resource::find::<Organisation>(db, &actor.caller, organisation.get()).await?;
    db.would_answer(StatusCode::CREATED, &entered.with_defaults()).await?;
    db.commit_then(app.provisioning.advance(organisation)).await??;
    app.gate.policies.forget(organisation);
    resource::find::<Organisation>(db, &actor.caller, organisation.get()).await
}

async fn check(app: &App, new: NewFields) -> Result<NewOrganisation> {
    let name = new.name.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let mut problems = Problems::default();
    judge_name(&name, &mut problems);
    if let Some(admin) = &new.admin {
        judge_admin(app, admin, &mut problems);
    }
    let placement = new.placement.unwrap_or_else(|| placement::DEFAULT.to_owned());
    let placed = app.config.placements.names().any(|known| known == placement);
    problems.require(placed, "placement", "This placement is not configured");
    let heavy_work_at_once = judge_limit(HEAVY_WORK, new.heavy_work_at_once, &mut problems);
    let requests_at_once = judge_limit(REQUESTS, new.requests_at_once, &mut problems);
    problems.finish()?;
    let admin = match new.admin {
        Some(admin) => Some(hashed(app, admin).await?),
        None => None,
    };
    let timezone = new.timezone.as_deref().map(timezones::parse).transpose()?.unwrap_or(Tz::UTC);
    Ok(NewOrganisation {
        timezone,
        settings: new.settings.unwrap_or_default().apply(&Value::Object(locale::settings(timezone)))?,
        modules: match &new.modules {
            Some(keys) => modules::from_keys(keys)?,
            None => DEFAULT_MODULES.to_vec(),
        },
        name,
        placement,
        admin,
        heavy_work_at_once,
        requests_at_once,
    })
}

pub(super) fn judge_name(name: &str, problems: &mut Problems) {
    problems.require(!name.is_empty(), "name", "Name is required");
    problems.require(name.chars().count() <= 200, "name", check::TOO_LONG);
    problems.require(!check::has_special(name), "name", "Field can't contain special characters");
}

/// How much at the same time.
fn judge_limit(field: &'static str, limit: Option<i64>, problems: &mut Problems) -> Option<i16> {
    let fitting = i16::try_from(limit?).ok().filter(|limit| (1..=100).contains(limit));
    problems.require(fitting.is_some(), field, "Value must be between 1 and 100");
    fitting
}

fn judge_admin(app: &App, admin: &AdminFields, problems: &mut Problems) {
    let text = |value: &Option<String>| value.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let email = text(&admin.email);
    problems.require(!email.is_empty(), "admin.email", "Email is required");
    problems.require(is_email(&email), "admin.email", check::EMAIL);
    for (field, value, reason) in [
        ("admin.first_name", text(&admin.first_name), "First name is required"),
        ("admin.last_name", text(&admin.last_name), "Last name is required"),
    ] {
        problems.require(!value.is_empty(), field, reason);
        problems.require(value.chars().count() <= 100, field, check::TOO_LONG);
    }
    match admin.password.as_deref() {
        None | Some("") if admin.invite => {}
        None | Some("") => problems.add("admin.password", "Password is required"),
        Some(_) if admin.invite => {
            problems.add("admin.password", "Who is invited chooses the password: leave it empty");
        }
        Some(password) => {
            PasswordPolicy::usual(app.clock.now()).judge("admin.password", password, problems);
        }
    }
}

async fn hashed(app: &App, admin: AdminFields) -> Result<NewAdmin> {
    let password_hash = match admin.password.filter(|_| !admin.invite) {
        Some(password) => Some(app.passwords.hash(None, &password).await?),
        None => None,
    };
    Ok(NewAdmin {
        email: admin.email.unwrap_or_default(),
        password_hash,
        first_name: admin.first_name,
        last_name: admin.last_name,
        phone_number: None,
        personal_data_consent: false,
    })
}

/// Changes an organisation.
pub(super) async fn change(
    app: &App,
    connection: &mut PgConnection,
    actor: &Actor,
    id: i64,
    mut given: Given<OrganisationFields>,
) -> Result<Organisation> {
    scope::refuse_hauliers(&actor.caller)?;
    let before = resource::find::<Organisation>(connection, &actor.caller, id).await?;
    if before.parent_organisation_id.is_some() {
        return Err(Error::bad_request("Hauliers are changed at /organisations/hauliers"));
    }
    let organisation = OrganisationId::new(id);
    scope::lock(connection, organisation).await?;
    let mut columns = Map::new();
    if given.has("name") {
        columns.insert("name".to_owned(), renamed(&before, given.value.name.as_deref())?.into());
    }
    if given.has("timezone") {
        let zone = timezones::parse(given.value.timezone.as_deref().unwrap_or("UTC"))?;
        columns.insert("timezone".to_owned(), zone.name().into());
    }
    if let Some(settings) = given.value.settings.take() {
        columns.insert("settings".to_owned(), Value::Object(settings.apply(&before.settings)?));
    }
    if given.has("modules") {
        let keys = given.value.modules.take().ok_or_else(|| Error::field("modules", check::REQUIRED))?;
        columns.insert("modules".to_owned(), json!(modules::from_keys(&keys)?));
    }
    if given.has("logo") {
        columns.insert("logo_file_uid".to_owned(), logo(app, organisation, &given)?);
    }
    for (field, before, limit) in [
        (HEAVY_WORK, before.heavy_work_at_once, given.value.heavy_work_at_once),
        (REQUESTS, before.requests_at_once, given.value.requests_at_once),
    ] {
        if given.has(field) {
            columns.insert(field.to_owned(), limited(actor, field, before, limit)?.into());
        }
    }
    given.fields = columns;
    let after = resource::update::<Organisation>(connection, &actor.caller, id, given)
        .await
        .map_err(|error| name_taken(error, "An organisation with this name already exists"))?;
    scope::announce(connection, organisation).await?;
    Entry::new("organisation_changed", format!("organisation:{id}"))
        .of(organisation)
        .before(&before)
        .after(&after)
        .write(connection, actor)
        .await?;
    Ok(after)
}

/// Master keeps its name: users know by it that they run the platform, and nobody else may take it.
fn renamed(before: &Organisation, name: Option<&str>) -> Result<String> {
    let name = name.unwrap_or_default().trim().to_owned();
    let mut problems = Problems::default();
    judge_name(&name, &mut problems);
    let takes = name.eq_ignore_ascii_case(MASTER);
    if before.is_master && name != before.name {
        problems.add("name", "The organisation Master cannot be renamed");
    } else if takes && !before.is_master {
        problems.add("name", "An organisation with this name already exists");
    }
    problems.finish()?;
    Ok(name)
}

/// What one organisation may take from the others is for operators to say.
fn limited(
    actor: &Actor,
    field: &'static str,
    before: Option<i16>,
    limit: Option<i64>,
) -> Result<Option<i16>> {
    let mut problems = Problems::default();
    let limit = judge_limit(field, limit, &mut problems);
    problems.finish()?;
    if limit != before && !actor.is_platform() {
        return Err(Error::denied());
    }
    Ok(limit)
}

/// File uids tell whose file it is.
fn logo(app: &App, organisation: OrganisationId, given: &Given<OrganisationFields>) -> Result<Value> {
    match &given.value.logo {
        None => Ok(Value::Null),
        Some(logo)
            if app.gate.links.organisation(&logo.uid) == Some(organisation) && logo.uid.len() <= 64 =>
        {
            Ok(logo.uid.clone().into())
        }
        Some(_) => Err(Error::field("logo", "File does not exist")),
    }
}

/// The index on names has an expression, from which no field can be told.
pub(super) fn name_taken(error: Error, text: &str) -> Error {
    let taken = error.named_fields().values().any(|reason| reason == "This value is already in use");
    if taken { Error::field("name", text) } else { error }
}
