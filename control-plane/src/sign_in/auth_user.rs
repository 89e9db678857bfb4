//! The signed-in user, as every sign-in answers it (contract §4.14).

use aide::OperationInput;
use axum::extract::FromRequestParts;
use chrono::{DateTime, Utc};
use http::header::AUTHORIZATION;
use http::request::Parts;
use routewright_core::{Clock, Error, Module, OrganisationId, Result, access};
use routewright_identity::token::Typ;
use routewright_identity::{Caller, Policy};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::{FromRow, PgConnection};
use uuid::Uuid;

use super::sessions::SessionTokens;
use crate::active_scenario;
use crate::app::App;
use crate::organisations::Settings;
use crate::roles::RoleSummary;

/// The signed-in user.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AuthUser {
    /// Id.
    id: i64,
    /// Address.
    email: String,
    /// The new address that waits to be confirmed from the mail sent to it.
    pending_email: Option<String>,
    /// First name.
    first_name: Option<String>,
    /// Last name.
    last_name: Option<String>,
    /// Phone number.
    phone_number: Option<String>,
    /// What the user may do.
    role: RoleSummary,
    /// Where the user works: the own organisation, or the one that a Master user has entered.
    organisation: OwnOrganisation,
    /// The haulier the user works for.
    haulier: Option<OwnHaulier>,
    /// The scenario that opens first.
    active_scenario: Option<i64>,
    /// Whether the user agreed to the use of their data.
    personal_data_consent: bool,
    /// Access token.
    token: String,
    /// Refresh token, where the call makes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    refresh_token: Option<String>,
    /// When the access token expires.
    expires_at: Option<DateTime<Utc>>,
}

/// The organisation in which a user works.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct OwnOrganisation {
    /// Id.
    id: OrganisationId,
    /// Name.
    name: String,
    /// Modules that are switched on.
    modules: Vec<Module>,
    /// IANA name.
    timezone: String,
    /// Settings with their defaults.
    settings: Settings,
    /// Always null: people of hauliers work in the organisation above.
    parent_organisation_id: Option<i64>,
    /// Whether its users run the platform.
    is_master: bool,
    /// What makes it a rehearsal; null in earnest.
    rehearsal: Option<Rehearsing>,
}

/// A rehearsal's time.
#[derive(Debug, Serialize, JsonSchema)]
struct Rehearsing {
    /// The organisation whose people rehearse.
    made_from: OrganisationId,
    /// Its present moment.
    now: DateTime<Utc>,
    /// The moment at which its time stands still for good.
    ends: DateTime<Utc>,
    /// Simulated seconds in a real one.
    speed: i16,
    /// Whether its time stands.
    paused: bool,
}

impl OwnOrganisation {
    pub(super) fn of(policy: &Policy, clock: &Clock) -> Self {
        Self {
            rehearsal: policy.rehearsal.map(|rehearsal| Rehearsing {
                made_from: rehearsal.made_from,
                now: policy.now(clock),
                ends: rehearsal.time.ends,
                speed: rehearsal.time.speed,
                paused: rehearsal.time.paused,
            }),
            id: policy.organisation,
            name: policy.name.clone(),
            modules: policy.modules(),
            timezone: policy.timezone.name().to_owned(),
            settings: Settings::of(&policy.settings),
            parent_organisation_id: None,
            is_master: policy.is_master,
        }
    }
}

/// The haulier for which a user works.
#[derive(Debug, Serialize, JsonSchema)]
struct OwnHaulier {
    /// Id.
    id: i64,
    /// Name.
    name: String,
}

impl AuthUser {
    /// The tokens that this call made.
    pub(super) fn with(mut self, tokens: SessionTokens) -> Self {
        self.token = tokens.token;
        self.refresh_token = Some(tokens.refresh_token);
        self.expires_at = Some(tokens.expires_at);
        self
    }

    /// A new access token of the same session.
    pub(crate) fn take(&mut self, (token, expires_at): (String, DateTime<Utc>)) {
        self.token = token;
        self.expires_at = Some(expires_at);
    }

    /// The token that the request came with.
    pub(crate) fn keep(&mut self, presented: Presented) {
        self.token = presented.token;
        self.expires_at = presented.expires_at;
    }
}

/// The access token that a request came with. The guard has verified it.
pub(crate) struct Presented {
    token: String,
    expires_at: Option<DateTime<Utc>>,
    /// The session that it belongs to.
    pub(crate) session: Option<Uuid>,
}

impl FromRequestParts<App> for Presented {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let token = parts
            .headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split_once(' '))
            .map(|(_, token)| token.trim().to_owned())
            .ok_or_else(Error::bad_token)?;
        let claims = app.gate.tokens.verify(&token, Typ::Access)?;
        Ok(Self { token, expires_at: DateTime::from_timestamp(claims.exp, 0), session: claims.session() })
    }
}

impl OperationInput for Presented {}

#[derive(FromRow)]
struct Row {
    id: i64,
    email: String,
    pending_email: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    phone_number: Option<String>,
    personal_data_consent: bool,
    active_scenario: Option<i64>,
    role_id: i64,
    role_name: String,
    access_levels: Vec<String>,
    haulier_id: Option<i64>,
    haulier_name: Option<String>,
}

async fn row(app: &App, connection: &mut PgConnection, user: i64) -> Result<Row> {
    sqlx::query_as(
        "select u.id, u.email, u.first_name, u.last_name, u.phone_number, u.personal_data_consent,
             u.active_scenario, r.id as role_id, r.name as role_name, r.access_levels, u.haulier_id,
             h.name as haulier_name,
             (select c.email from email_changes c where c.user_id = u.id and c.expires_at > $2) as pending_email
         from users u join roles r on r.id = u.role_id left join organisations h on h.id = u.haulier_id
         where u.id = $1 and u.deleted_at is null",
    )
    .bind(user)
    .bind(app.clock.now())
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::bad_token)
}

fn assemble(row: Row, policy: &Policy, clock: &Clock, operator: bool) -> AuthUser {
    let access_levels = if operator { access::admin_levels() } else { row.access_levels };
    AuthUser {
        id: row.id,
        email: row.email,
        pending_email: row.pending_email,
        first_name: row.first_name,
        last_name: row.last_name,
        phone_number: row.phone_number,
        role: RoleSummary { id: row.role_id, name: row.role_name, access_levels },
        organisation: OwnOrganisation::of(policy, clock),
        haulier: row.haulier_id.zip(row.haulier_name).map(|(id, name)| OwnHaulier { id, name }),
        active_scenario: row.active_scenario,
        personal_data_consent: row.personal_data_consent,
        token: String::new(),
        refresh_token: None,
        expires_at: None,
    }
}

/// The caller as the user it is.
///
/// # Errors
/// 401 when the user is gone.
pub(crate) async fn auth_user(app: &App, connection: &mut PgConnection, caller: &Caller) -> Result<AuthUser> {
    let signed = caller.user()?;
    let mut row = row(app, connection, signed.user_id).await?;
    let policy = app.gate.policies.of(caller.organisation()?).await?;
    let elsewhere = signed.home.is_some();
    // A scenario's id means something in the user's own organisation only.
    let chosen = row.active_scenario.filter(|_| !elsewhere);
    row.active_scenario = active_scenario::kept(app, connection, &policy, chosen).await?;
    Ok(assemble(row, &policy, &app.clock, signed.is_operator_abroad()))
}

/// A user who has just signed in.
///
/// # Errors
/// 401 when the user is gone.
pub(super) async fn just_signed_in(
    app: &App,
    connection: &mut PgConnection,
    user: i64,
    organisation: OrganisationId,
) -> Result<AuthUser> {
    let mut row = row(app, connection, user).await?;
    let policy = app.gate.policies.of(organisation).await?;
    row.active_scenario = active_scenario::kept(app, connection, &policy, row.active_scenario).await?;
    Ok(assemble(row, &policy, &app.clock, false))
}
