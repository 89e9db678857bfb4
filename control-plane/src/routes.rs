//! The one list of nouns. A noun may call nouns above it, through their `mod.rs`; never those below, never their SQL.

use routewright_core::Routes;
use routewright_tenancy::Telling;

use crate::app::App;
use crate::{
    driver_users, modules, oidc, operators, organisations, password_policy, rehearsals, reset_password,
    roles, sign_in, timezones, users,
};

/// Routes whose handlers tell the record themselves, or that change nothing.
pub const TELLING: Telling = Telling {
    handing_out: &[],
    quiet: &[
        "/auth/logout",
        "/auth/organisation_token",
        "/auth/refresh_token",
        "/auth/rehearsal_token",
        "/auth/token",
        "/users/login",
        "/users/register",
    ],
};

/// What somebody who works in a rehearsal may change from there.
pub const REHEARSABLE: &[&str] = &[
    "/auth/logout",
    "/auth/rehearsal_token",
    "/organisations/settings",
    "/rehearsal",
    "/rehearsal/start_again",
    "/users/me",
];

/// All routes of the service.
pub fn table() -> Routes<App> {
    Routes::new()
        .merge(modules::routes())
        .merge(timezones::routes())
        .merge(password_policy::routes())
        .merge(roles::routes())
        .merge(organisations::routes())
        .merge(sign_in::routes())
        .merge(rehearsals::routes())
        .merge(oidc::routes())
        .merge(users::routes())
        .merge(driver_users::routes())
        .merge(reset_password::routes())
        .merge(operators::routes())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use routewright_testing::order;

    /// A noun calls those above it in the table, and what has no routes; nobody calls in circles. What has no routes names
    /// no noun, but for this list.
    #[test]
    fn nouns_call_upwards_only() {
        let calls = order::calls(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), 1);
        let nouns = order::listed(include_str!("routes.rs"));
        assert_eq!(order::downwards(&calls, &nouns), []);
        assert_eq!(order::circle(&calls), None);
        for (caller, called) in calls.iter().filter(|(caller, _)| *caller != "routes") {
            assert!(!called.contains("service"), "{caller} names the service");
            let noun = called.iter().find(|called| nouns.contains(called));
            assert!(noun.is_none() || nouns.contains(caller), "{caller} names {noun:?}");
        }
        assert!(nouns.iter().all(|noun| calls.contains_key(noun)));
    }
}
