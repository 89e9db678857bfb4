//! A new organisation: what is asked for, and its rows in the control schema.

use chrono_tz::Tz;
use routewright_core::error::Problems;
use routewright_core::{Error, Module, OnConstraint as _, OrganisationId, Result, access};
use serde_json::{Map, Value};
use sqlx::PgConnection;

use crate::placement;

/// Modules that are on from the start (S-36).
pub const DEFAULT_MODULES: [Module; 2] = [Module::Units, Module::Returns];

/// The name of the organisation whose users run the platform.
pub const MASTER: &str = "Master";

/// What a new organisation is made of.
#[derive(Debug, Clone)]
pub struct NewOrganisation {
    /// Unique among organisations, whatever the case.
    pub name: String,
    /// The zone of its working days.
    pub timezone: Tz,
    /// `organisations.settings`.
    pub settings: Map<String, Value>,
    /// Modules that are switched on; see [`DEFAULT_MODULES`].
    pub modules: Vec<Module>,
    /// The database to live in.
    pub placement: String,
    /// Its first user, with the role `admin`.
    pub admin: Option<NewAdmin>,
    /// Most pieces of heavy work at the same time; `None` for the usual.
    pub heavy_work_at_once: Option<i16>,
    /// Requests that are answered at the same time; none for the usual number.
    pub requests_at_once: Option<i16>,
}

impl NewOrganisation {
    /// An organisation with the default settings in the default placement.
    #[must_use]
    pub fn named(name: impl Into<String>, timezone: Tz) -> Self {
        Self {
            name: name.into(),
            timezone,
            settings: Map::new(),
            modules: DEFAULT_MODULES.to_vec(),
            placement: placement::DEFAULT.to_owned(),
            admin: None,
            heavy_work_at_once: None,
            requests_at_once: None,
        }
    }
}

/// The first user of an organisation.
#[derive(Clone)]
pub struct NewAdmin {
    /// Unique on the platform, whatever the case.
    pub email: String,
    /// Made by the caller: the password itself does not come here. Without one the person cannot sign in before choosing
    /// a password.
    pub password_hash: Option<String>,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// Telephone number.
    pub phone_number: Option<String>,
    /// Whether the person agreed to the use of their data.
    pub personal_data_consent: bool,
}

impl std::fmt::Debug for NewAdmin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewAdmin").field("email", &self.email).finish_non_exhaustive()
    }
}

/// Adds the organisation to the control schema, with its roles, password policy and first user, in state
/// `provisioning`. In one transaction with whatever else the caller does; [`super::Provisioning::advance`] does the
/// rest.
///
/// # Errors
/// 400 naming the field when something is wrong, 409 when the name or the e-mail address is taken.
pub async fn insert_organisation(
    control: &mut PgConnection,
    new: &NewOrganisation,
) -> Result<OrganisationId> {
    insert(control, new, false).await
}

pub(super) async fn insert(
    control: &mut PgConnection,
    new: &NewOrganisation,
    master: bool,
) -> Result<OrganisationId> {
    check(new)?;
    let modules: Vec<&str> = new.modules.iter().map(|module| module.key()).collect();
    let organisation: OrganisationId = sqlx::query_scalar(
        "insert into organisations (name, timezone, settings, modules, placement, is_master, heavy_work_at_once,
             requests_at_once)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning id",
    )
    .bind(new.name.trim())
    .bind(new.timezone.name())
    .bind(sqlx::types::Json(&new.settings))
    .bind(modules)
    .bind(&new.placement)
    .bind(master)
    .bind(new.heavy_work_at_once)
    .bind(new.requests_at_once)
    .fetch_one(&mut *control)
    .await
    .on_constraint("organisations_name_key", || {
        Error::conflict("An organisation with this name already exists")
    })?;
    for (name, levels) in
        [("admin", access::admin_levels()), ("user", access::user_levels()), ("driver", Vec::new())]
    {
        sqlx::query(
            "insert into roles (organisation_id, name, access_levels, built_in) values ($1, $2, $3, true)",
        )
        .bind(organisation)
        .bind(name)
        .bind(levels)
        .execute(&mut *control)
        .await?;
    }
    sqlx::query("insert into password_policies (organisation_id) values ($1)")
        .bind(organisation)
        .execute(&mut *control)
        .await?;
    if let Some(admin) = &new.admin {
        insert_admin(control, organisation, admin).await?;
    }
    Ok(organisation)
}

pub(super) async fn insert_admin(
    control: &mut PgConnection,
    organisation: OrganisationId,
    admin: &NewAdmin,
) -> Result<()> {
    sqlx::query(
        "insert into users (
             organisation_id, role_id, email, password_hash, first_name, last_name, phone_number,
             personal_data_consent, password_changed_at
         )
         select $1, id, $2, $3, $4, $5, $6, $7, case when $3::text is not null then now() end
         from roles where organisation_id = $1 and name = 'admin'",
    )
    .bind(organisation)
    .bind(admin.email.trim())
    .bind(&admin.password_hash)
    .bind(&admin.first_name)
    .bind(&admin.last_name)
    .bind(&admin.phone_number)
    .bind(admin.personal_data_consent)
    .execute(control)
    .await
    .on_constraint("users_email_key", || Error::conflict("A user with this e-mail address already exists"))?;
    Ok(())
}

fn check(new: &NewOrganisation) -> Result<()> {
    let mut problems = Problems::default();
    let name = new.name.trim();
    problems.require(!name.is_empty(), "name", "Name is required");
    problems.require(name.chars().count() <= 200, "name", "Name has at most 200 characters");
    problems.require(!name.contains('\0'), "name", "Name contains characters that cannot be stored");
    if let Some(admin) = &new.admin {
        let email = admin.email.trim();
        let parts = email.split_once('@').filter(|(user, host)| !user.is_empty() && !host.is_empty());
        let plain =
            !email.contains(|c: char| c.is_whitespace() || c == '\0') && email.matches('@').count() == 1;
        problems.require(
            parts.is_some() && plain && email.chars().count() <= 320,
            "email",
            "Email address is not valid",
        );
    }
    problems.finish()
}
