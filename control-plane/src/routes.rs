//! The one list of nouns. A noun may call nouns above it, through their `mod.rs`; never those below, never their SQL.

use routewright_core::Routes;

use crate::app::App;
use crate::{
    driver_users, modules, oidc, operators, organisations, password_policy, reset_password, roles, sign_in,
    timezones, users,
};

/// All routes of the service.
pub fn table() -> Routes<App> {
    Routes::new()
        .merge(modules::routes())
        .merge(timezones::routes())
        .merge(password_policy::routes())
        .merge(roles::routes())
        .merge(organisations::routes())
        .merge(sign_in::routes())
        .merge(oidc::routes())
        .merge(users::routes())
        .merge(driver_users::routes())
        .merge(reset_password::routes())
        .merge(operators::routes())
}
