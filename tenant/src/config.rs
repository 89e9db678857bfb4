//! Configuration of the tenant service, from the environment.

use std::path::PathBuf;

use routewright_core::config::{ConfigError, Deployment, Source};
use routewright_governor::{own_program, priority};
use routewright_messaging::SmtpConfig;
use routewright_roads::StreetsOptions;
use routewright_storage::StorageConfig;
use routewright_tenancy::placement::Placements;
use routewright_tenancy::pool::Budget;

/// What the tenant service needs to know.
#[derive(Clone, Debug)]
pub struct Config {
    /// Deployment-wide settings.
    pub deployment: Deployment,
    /// `DIRECTORY_URL`: login that may read the directory of organisations, roles and users (never passwords).
    pub directory_url: String,
    /// Databases in which organisations live.
    pub placements: Placements,
    /// `TENANT_CONNECTIONS`, `TENANT_CONNECTIONS_EACH`.
    pub budget: Budget,
    /// `REQUEST_SHARE`: percent of this machine's processors that the requests of one organisation may take for more than seconds
    /// while others ask, too (default 12.5); here as processors.
    pub request_share: f64,
    /// `S3_ENDPOINT`, `S3_REGION`, `S3_BUCKET`, `S3_ACCESS_KEY`, `S3_SECRET_KEY`, `S3_PATH_STYLE`.
    pub storage: StorageConfig,
    /// `ROADS`: `.osm.pbf` files or folders with such, separated by commas, for streets and addresses. `ROADS_FOLDER`: where what
    /// is made of them is kept (default `.data/roads`). `ROADS_HOURS`: a file that says how fast traffic is by the hour of the week;
    /// streets are free without.
    pub maps: Option<StreetsOptions>,
    /// `OSRM_URL`: OSRM-compatible road server, used instead of `ROADS`.
    pub osrm_url: Option<String>,
    /// `GEOCODER_URL`: Nominatim- or Photon-compatible address search, asked where the maps are not sure.
    pub geocoder_url: Option<String>,
    /// `MAP_TILES_URL`: vector tiles (`.pmtiles`) of the base map.
    pub map_tiles_url: Option<String>,
    /// `WORKER_JOBS`: queued jobs that this process does at the same time (default 4); 0 leaves them to others.
    pub worker_jobs: usize,
    /// `TRUSTED_PROXIES`: proxies in front of this service that add to `X-Forwarded-For`; 0 without any.
    pub trusted_proxies: usize,
    /// `TOKEN_GUESS_LIMIT`: wrong tokens of links that one address may try in ten minutes.
    pub token_guesses: i32,
    /// `SMTP_*`: the mail server; without one mails stay in the outbox.
    pub smtp: Option<SmtpConfig>,
    /// `API_URL`: base of the API as this process reaches it, for the drivers of rehearsals; that of `PUBLIC_URL` without.
    pub api_url: String,
    /// `GOOGLE_MAPS_KEY`: draws on Google's map instead.
    pub google_maps_key: Option<String>,
    /// `PIECES_PROGRAM`: what is called for pieces of work that could break off the whole process (default this program itself); it
    /// has to answer them.
    pub program: PathBuf,
}

impl Config {
    /// Reads the configuration.
    ///
    /// # Errors
    /// Naming the variable that is missing or wrong.
    pub fn from_source(source: &impl Source) -> Result<Self, ConfigError> {
        let deployment = Deployment::from_source(source)?;
        let budget = Budget::default();
        Ok(Self {
            directory_url: source.required("DIRECTORY_URL")?,
            placements: Placements::from_source(source, deployment.master_key.clone())?,
            budget: Budget {
                connections: source.parsed("TENANT_CONNECTIONS", budget.connections)?.max(1),
                each: source.parsed("TENANT_CONNECTIONS_EACH", budget.each)?.max(1),
            },
            request_share: request_share(source)?,
            storage: StorageConfig {
                endpoint: source.text("S3_ENDPOINT"),
                region: source.text("S3_REGION").unwrap_or_else(|| "us-east-1".to_owned()),
                bucket: source.required("S3_BUCKET")?,
                access_key: source.required("S3_ACCESS_KEY")?,
                secret_key: source.required("S3_SECRET_KEY")?,
                path_style: source.parsed("S3_PATH_STYLE", true)?,
            },
            maps: maps(source)?,
            osrm_url: source.text("OSRM_URL"),
            geocoder_url: source.text("GEOCODER_URL"),
            map_tiles_url: source.text("MAP_TILES_URL"),
            worker_jobs: source.parsed("WORKER_JOBS", 4)?,
            trusted_proxies: source.parsed("TRUSTED_PROXIES", 0)?,
            token_guesses: source.parsed("TOKEN_GUESS_LIMIT", routewright_tenancy::guesses::USUAL)?,
            smtp: SmtpConfig::from_source(source)?,
            api_url: source
                .text("API_URL")
                .unwrap_or_else(|| format!("{}/api", deployment.public_url.trim_end_matches('/'))),
            google_maps_key: source.text("GOOGLE_MAPS_KEY"),
            program: source.text("PIECES_PROGRAM").map_or_else(own_program, PathBuf::from),
            deployment,
        })
    }
}

fn request_share(source: &impl Source) -> Result<f64, ConfigError> {
    let percent = source.parsed("REQUEST_SHARE", 12.5_f64)?;
    if !(1.0..=100.0).contains(&percent) {
        return Err(ConfigError {
            variable: "REQUEST_SHARE".to_owned(),
            reason: "must be between 1 and 100 percent".to_owned(),
        });
    }
    Ok(percent / 100.0 * priority::processors() as f64)
}

/// The maps that `ROADS` names.
///
/// # Errors
/// Naming the variable that is wrong.
pub fn maps(source: &impl Source) -> Result<Option<StreetsOptions>, ConfigError> {
    let folder = source.parsed("ROADS_FOLDER", PathBuf::from(".data/roads"))?;
    let hours = source.text("ROADS_HOURS").map(PathBuf::from);
    Ok(source.text("ROADS").map(|sources| StreetsOptions { sources, folder, hours }))
}
