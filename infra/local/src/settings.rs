use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use routewright_core::config::Source;
use routewright_s3_server::S3Server;

use crate::data_folder::DataFolder;
use crate::postgres::Postgres;
use crate::seed;

/// Bucket of the one-machine mode.
const BUCKET: &str = "routewright";

/// What can be chosen about the one-machine mode.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where browsers reach it.
    pub(crate) port: u16,
    /// What survives a restart.
    pub(crate) data_dir: PathBuf,
    /// The checkout, where the web builds and the demo data are.
    pub(crate) root: PathBuf,
    /// Most bytes that files may take; as many as the disk has room for without.
    pub(crate) storage_limit: Option<u64>,
    /// What the person has set for the services, such as `SMTP_HOST` or `OSRM_URL`.
    given: BTreeMap<String, String>,
}

/// Variables that are handed on to the services as they are.
const HANDED_ON: [&str; 24] = [
    "ROADS",
    "ROADS_FOLDER",
    "ROADS_HOURS",
    "OSRM_URL",
    "GEOCODER_URL",
    "GOOGLE_MAPS_KEY",
    "SMTP_HOST",
    "SMTP_PORT",
    "SMTP_SECURITY",
    "SMTP_USERNAME",
    "SMTP_PASSWORD",
    "SMTP_FROM",
    "SMTP_CA_FILE",
    "SMTP_TIMEOUT",
    "SIGN_IN_LIMIT",
    "RESET_LIMIT",
    "SIGN_UP_LIMIT",
    "OIDC_ISSUER",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_NAME",
    "TENANT_CONNECTIONS",
    "TENANT_CONNECTIONS_EACH",
    "REQUEST_SHARE",
];

/// As `ROADS`: no streets and no addresses, not even the demonstration's.
const OFF: &str = "off";

impl Settings {
    pub(crate) fn from_source(source: &impl Source) -> Result<Self> {
        let given = HANDED_ON
            .iter()
            .filter_map(|&name| source.text(name).map(|value| (name.to_owned(), value)))
            .collect();
        Ok(Self {
            port: source.parsed("PORT", 8080)?,
            data_dir: source.parsed("DATA_DIR", PathBuf::from(".data"))?,
            root: checkout()?,
            storage_limit: match source.parsed("STORAGE_LIMIT_MB", 0_u64)? {
                0 => None,
                megabytes => Some(megabytes << 20),
            },
            given,
        })
    }

    pub(crate) fn public_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The configuration of both services.
    pub(crate) fn variables(
        &self,
        folder: &DataFolder,
        postgres: &Postgres,
        files: &S3Server,
    ) -> BTreeMap<String, String> {
        let secrets = folder.secrets();
        let s3 = secrets.s3_keys();
        let database = postgres.owner_url(secrets);
        let mut variables = self.chosen();
        let own = [
            ("ROUTEWRIGHT_MODE", "local".to_owned()),
            ("PUBLIC_URL", self.public_url()),
            ("MASTER_KEY", secrets.master_key.clone()),
            ("DATABASE_URL", database.clone()),
            ("DIRECTORY_URL", database),
            ("S3_ENDPOINT", files.endpoint()),
            ("S3_BUCKET", BUCKET.to_owned()),
            ("S3_ACCESS_KEY", s3.access_key),
            ("S3_SECRET_KEY", s3.secret_key),
            ("S3_PATH_STYLE", "true".to_owned()),
            ("MASTER_ADMIN_EMAIL", seed::OPERATOR.to_owned()),
            ("MASTER_ADMIN_PASSWORD", seed::PASSWORD.to_owned()),
            ("BACKUP_FOLDER", self.data_dir.join("backups").display().to_string()),
            ("POSTGRES_BIN", postgres.tools().display().to_string()),
            ("MAP_TILES_URL", "/api/tiles/streets.pmtiles".to_owned()),
        ];
        variables.extend(own.map(|(name, value)| (name.to_owned(), value)));
        variables
    }

    /// What the person has set, and the demonstration's streets unless others or none are named.
    fn chosen(&self) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::from([
            ("ROADS".to_owned(), self.root.join("infra/local/data/porto").display().to_string()),
            ("ROADS_FOLDER".to_owned(), self.data_dir.join("roads").display().to_string()),
        ]);
        variables.extend(self.given.clone());
        if variables["ROADS"] == OFF {
            variables.remove("ROADS");
        }
        variables
    }
}

/// The folder that the program was started in, or else the one it was built in.
fn checkout() -> Result<PathBuf> {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in [std::env::current_dir()?, built_in] {
        if folder.join("infra/local/data").is_dir() {
            return Ok(folder.canonicalize()?);
        }
    }
    bail!("start it in the checkout, where planner-web, admin-web and infra are")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_port_is_named() {
        let variables = BTreeMap::from([("PORT".to_owned(), "80800".to_owned())]);
        let error = Settings::from_source(&variables).expect_err("not a port").to_string();
        assert_eq!(error, "PORT: `80800` is not a valid value");
    }

    /// Issue 12.5: the demonstration has streets, of Porto unless others are named, and none with `ROADS=off`.
    #[test]
    fn streets_can_be_others_or_none() {
        let chosen = |given: &[(&str, &str)]| {
            let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Settings::from_source(&given.collect::<BTreeMap<_, _>>()).expect("settings").chosen()
        };
        let demonstration = chosen(&[]);
        let porto = Path::new(&demonstration["ROADS"]);
        assert!(porto.ends_with("infra/local/data/porto") && porto.join("roads.osm.pbf").is_file());
        assert_eq!(demonstration["ROADS_FOLDER"], ".data/roads");
        assert_eq!(chosen(&[("ROADS", "/maps/pt.osm.pbf")])["ROADS"], "/maps/pt.osm.pbf");
        let off = chosen(&[("ROADS", "off"), ("OSRM_URL", "http://localhost:5000")]);
        assert_eq!((off.get("ROADS"), off["OSRM_URL"].as_str()), (None, "http://localhost:5000"));
    }
}
