use chrono::{DateTime, Utc};
use routewright_core::Given;
use routewright_core::Result;
use routewright_core::check::{self, is_email};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::types::Json;

use crate::notice::Addressee;
use crate::roles::RoleSummary;
use crate::scope;

/// A user.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct User {
    /// Id.
    pub(crate) id: i64,
    /// Address, unique on the platform.
    pub(crate) email: String,
    /// First name.
    pub(crate) first_name: Option<String>,
    /// Last name.
    pub(crate) last_name: Option<String>,
    /// Phone number.
    pub(crate) phone_number: Option<String>,
    /// Organisation.
    pub(crate) organisation_id: i64,
    /// The haulier the user works for.
    pub(crate) haulier_id: Option<i64>,
    /// Role.
    pub(crate) role_id: i64,
    /// The role's name and access levels.
    #[schemars(with = "RoleSummary")]
    pub(crate) role: Json<RoleSummary>,
    /// Whether the user agreed to the use of their data.
    pub(crate) personal_data_consent: bool,
    /// The scenario that opens first.
    pub(crate) active_scenario: Option<i64>,
    /// Last sign-in.
    pub(crate) last_login: Option<DateTime<Utc>>,
    /// When it was made.
    pub(crate) created: DateTime<Utc>,
    /// When it was last changed.
    pub(crate) modified: DateTime<Utc>,
    /// Set while deleted.
    pub(crate) deleted_at: Option<DateTime<Utc>>,
}

impl From<&User> for Addressee {
    fn from(user: &User) -> Self {
        Self { id: user.id, email: user.email.clone(), first_name: user.first_name.clone() }
    }
}

/// What can be written of a user.
#[derive(Debug, Default, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct UserFields {
    /// Address, unique on the platform.
    pub(crate) email: Option<String>,
    /// First password, on create.
    #[serde(skip_serializing)]
    pub(crate) password: Option<String>,
    /// New password, on edit; ends all sessions of the user.
    #[serde(skip_serializing)]
    pub(crate) new_password: Option<String>,
    /// On create, in place of a password: the user gets a mail with a link to choose one. On edit, another such mail.
    #[serde(skip_serializing)]
    pub(crate) invite: Option<bool>,
    /// First name.
    pub(crate) first_name: Option<String>,
    /// Last name.
    pub(crate) last_name: Option<String>,
    /// Phone number in international format.
    pub(crate) phone_number: Option<String>,
    /// The caller's own organisation or one of its hauliers; Master users may name any.
    pub(crate) organisation_id: Option<i64>,
    /// A haulier of the organisation.
    pub(crate) haulier_id: Option<i64>,
    /// A role of the organisation, with no more levels than the caller holds.
    pub(crate) role_id: Option<i64>,
    /// Whether the user agreed to the use of their data.
    pub(crate) personal_data_consent: Option<bool>,
    /// The scenario that opens first.
    pub(crate) active_scenario: Option<i64>,
}

impl Resource for User {
    const NAME: &'static str = "User";
    const PATH: &'static str = "/users";
    const TABLE: &'static str = "users";
    const COLUMNS: &'static str = "u.id, u.email, u.first_name, u.last_name, u.phone_number, u.organisation_id, \
         u.haulier_id, u.role_id, jsonb_build_object('id', r.id, 'name', r.name, 'access_levels', r.access_levels) \
         as role, u.personal_data_consent, u.active_scenario, u.last_login, u.created, u.modified, \
         u.deleted_at";
    const FROM: &'static str = "users u join roles r on r.id = u.role_id";
    const ID: &'static str = "u.id";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("id", "u.id"),
            Filter::id("organisation_id", "u.organisation_id"),
            Filter::id("haulier_id", "u.haulier_id"),
            Filter::id("role_id", "u.role_id"),
            Filter::text("email", "u.email"),
            Filter::text("first_name", "u.first_name"),
            Filter::text("last_name", "u.last_name"),
        ],
        search: &["u.email", "u.first_name", "u.last_name", "concat_ws(' ', u.first_name, u.last_name)"],
        sort: &[
            ("id", "u.id"),
            ("email", "lower(u.email)"),
            ("first_name", "lower(u.first_name)"),
            ("last_name", "lower(u.last_name)"),
            ("role_id", "u.role_id"),
            ("organisation_id", "u.organisation_id"),
            ("last_login", "u.last_login"),
            ("created", "u.created"),
        ],
        order: "u.id desc",
    };
    type Fields = UserFields;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        conditions.and("u.deleted_at is null");
        Self::seen_by(caller, conditions);
    }
}

impl User {
    /// Those of the caller's, deleted ones too.
    pub(crate) fn seen_by(caller: &Caller, conditions: &mut Where) {
        scope::narrow(caller, conditions, "u.organisation_id");
        if let Some(haulier) = caller.haulier_id() {
            conditions.push("u.haulier_id = ", haulier);
        }
    }
}

impl UserFields {
    /// Trims texts and tells what is wrong with them, in the words of the user form (A-297..A-305).
    ///
    /// # Errors
    /// 400 naming every field.
    pub(crate) fn check(given: &mut Given<Self>, needed: &[(&'static str, &'static str)]) -> Result<()> {
        let mut problems = Problems::default();
        for field in ["email", "first_name", "last_name", "phone_number"] {
            let Some(text) = given.fields.get(field).and_then(|value| value.as_str()) else { continue };
            let trimmed = text.trim().to_owned();
            // The form sends an empty phone number for none.
            let value = if trimmed.is_empty() { serde_json::Value::Null } else { trimmed.into() };
            given.fields.insert(field.to_owned(), value);
        }
        for (field, reason) in needed {
            let missing = given.fields.get(*field).is_none_or(serde_json::Value::is_null);
            problems.require(!missing, field, reason);
        }
        let text = |field: &str| given.fields.get(field).and_then(|value| value.as_str());
        problems.require(text("email").is_none_or(is_email), "email", check::EMAIL);
        for field in ["first_name", "last_name"] {
            let value = text(field);
            problems.require(value.is_none_or(|name| name.chars().count() <= 100), field, check::TOO_LONG);
            problems.require(
                value.is_none_or(|name| !check::has_special(name)),
                field,
                "Field can't contain special characters",
            );
        }
        problems.phone("phone_number", text("phone_number"));
        if given.fields.get("personal_data_consent").is_some_and(serde_json::Value::is_null) {
            problems.add("personal_data_consent", check::REQUIRED);
        }
        problems.finish()
    }
}
