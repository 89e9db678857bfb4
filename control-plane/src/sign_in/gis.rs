//! Tokens for the map vendor's tiles, for those who are signed in.

use axum::Json;
use axum::extract::State;
use routewright_core::{Error, Result};

use crate::app::App;
use crate::providers::GisToken;

/// `GET /auth/esri_token`.
pub(super) async fn token(State(app): State<App>) -> Result<Json<GisToken>> {
    let Some(gis) = &app.gis else { return Err(Error::not_found("GIS token")) };
    gis.token(app.clock.now()).await.map(Json)
}
