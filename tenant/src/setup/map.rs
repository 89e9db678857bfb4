//! What the map is drawn with.

use axum::Json;
use axum::extract::State;
use routewright_core::{Access, Result, Routes};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;

/// The names of the map styles, which users choose from.
const STYLES: [&str; 11] = [
    "Tarot",
    "Basic",
    "Streets",
    "Hybrid",
    "Bright",
    "Outdoor",
    "Toner",
    "Topo",
    "Topographique",
    "Voyager",
    "Dark",
];
const ATTRIBUTION: &str = "© OpenStreetMap contributors";

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/map/config", Access::SIGNED_IN, config)
}

/// What the map is drawn with. Without styles the browser draws the outline of the world.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MapConfig {
    /// One entry per style name.
    styles: Vec<MapStyle>,
    /// Draws on Google's map instead.
    google_key: Option<String>,
}

/// Where a style's tiles come from.
#[derive(Serialize, JsonSchema)]
struct MapStyle {
    /// Name that users choose.
    name: &'static str,
    /// `pmtiles`: one archive of vector tiles; `raster`: a template with `{z}`, `{x}`, `{y}`; `style`: a MapLibre style.
    kind: &'static str,
    /// Address.
    url: String,
    /// Whom the map is owed to.
    attribution: Option<&'static str>,
}

/// `GET /map/config`.
async fn config(State(app): State<App>) -> Result<Json<MapConfig>> {
    let styles = app.config.map_tiles_url.as_deref().map(styles).unwrap_or_default();
    Ok(Json(MapConfig { styles, google_key: app.config.google_maps_key.clone() }))
}

/// The same for customers and drivers, who have no session: never a key.
pub(crate) fn for_guests(app: &App) -> MapConfig {
    let styles = app.config.map_tiles_url.as_deref().map(styles).unwrap_or_default();
    MapConfig { styles, google_key: None }
}

/// Every style name with the configured address; `{style}` in it becomes the name in small letters.
fn styles(address: &str) -> Vec<MapStyle> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let kind = if path.ends_with(".pmtiles") {
        "pmtiles"
    } else if address.contains("{z}") {
        "raster"
    } else {
        "style"
    };
    let style = |name: &'static str| {
        let url = address.replace("{style}", &name.to_ascii_lowercase());
        MapStyle { name, kind, url, attribution: Some(ATTRIBUTION) }
    };
    STYLES.into_iter().map(style).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// all eleven style names have a source once tiles are configured.
    #[test]
    fn the_kind_is_told_by_the_address() {
        for (address, kind) in [
            ("/api/tiles/streets.pmtiles", "pmtiles"),
            ("https://tiles.example.org/streets.pmtiles?v=2", "pmtiles"),
            ("https://tiles.example.org/{style}/{z}/{x}/{y}.png", "raster"),
            ("https://tiles.example.org/{style}/style.json", "style"),
        ] {
            let styles = styles(address);
            assert_eq!(styles.len(), 11);
            assert!(styles.iter().all(|style| style.kind == kind && !style.url.contains("{style}")));
        }
        assert!(styles("/{style}.json").iter().any(|style| style.url == "/topographique.json"));
    }
}
