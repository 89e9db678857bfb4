//! Signing in and staying signed in.

mod attempts;
mod auth_user;
mod device;
mod gis;
mod login;
mod organisation_token;
mod register;
pub(crate) mod sessions;
mod visits;

pub(crate) use attempts::{Limited, limit, minutes};
pub(crate) use auth_user::{AuthUser, Presented, auth_user};
pub(crate) use login::Success;

use axum::Json;
use axum::extract::State;
use routewright_core::{Access, Result, Routes};
use routewright_tenancy::Db;

use crate::actor::Actor;
use crate::app::App;

const ENTER: Access = Access::levels(&["organisations_write"]).master();

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .post("/users/login", Access::PUBLIC, login::login)
        .post("/users/register", Access::PUBLIC, register::register)
        .get("/users/login/from_token", Access::PUBLIC, login::from_token)
        .post("/auth/token", Access::PUBLIC, login::token)
        .post("/auth/refresh_token", Access::PUBLIC, login::refresh)
        .post("/auth/logout", Access::SIGNED_IN, login::logout)
        .get("/auth/user", Access::SIGNED_IN, own)
        .post("/auth/organisation_token", ENTER, organisation_token::create)
        .delete("/auth/organisation_token", ENTER, visits::leave)
        .post("/auth/rehearsal_token", Access::SIGNED_IN, organisation_token::rehearse)
        .delete("/auth/rehearsal_token", Access::SIGNED_IN, visits::leave)
        .get("/auth/esri_token", Access::SIGNED_IN, gis::token)
}

/// `GET /auth/user`.
async fn own(
    State(app): State<App>,
    actor: Actor,
    presented: Presented,
    mut db: Db,
) -> Result<Json<AuthUser>> {
    let mut user = auth_user(&app, &mut db, &actor.caller).await?;
    user.keep(presented);
    Ok(Json(user))
}
