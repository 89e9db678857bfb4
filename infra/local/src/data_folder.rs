use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use rand::TryRngCore as _;
use rand::rngs::OsRng;
use routewright_s3_server::Keys;
use serde::{Deserialize, Serialize};

/// The folder that holds all that survives a restart, held by one running Routewright at a time.
pub(crate) struct DataFolder {
    path: PathBuf,
    secrets: Secrets,
    _lock: File,
}

/// Made at the first start and never changed: data is encrypted, signed and logged in to with them.
#[derive(Serialize, Deserialize)]
pub(crate) struct Secrets {
    pub(crate) master_key: String,
    pub(crate) database_password: String,
    pub(crate) superuser_password: String,
    s3_access_key: String,
    s3_secret_key: String,
}

impl Secrets {
    fn random() -> Result<Self> {
        Ok(Self {
            master_key: random(32)?,
            database_password: random(24)?,
            superuser_password: random(24)?,
            s3_access_key: random(10)?,
            s3_secret_key: random(24)?,
        })
    }

    pub(crate) fn s3_keys(&self) -> Keys {
        Keys { access_key: self.s3_access_key.clone(), secret_key: self.s3_secret_key.clone() }
    }
}

/// `bytes` random bytes as hexadecimal text.
fn random(bytes: usize) -> Result<String> {
    let mut drawn = vec![0; bytes];
    OsRng.try_fill_bytes(&mut drawn).context("the system gives no random numbers")?;
    Ok(drawn.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl DataFolder {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let unusable = || format!("the data folder {} cannot be used", path.display());
        fs::create_dir_all(path).with_context(unusable)?;
        let path = path.canonicalize().with_context(unusable)?;
        let lock = File::create(path.join("lock")).with_context(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "another Routewright already uses the data folder {}; stop it, or choose another with DATA_DIR",
                path.display()
            ),
            Err(TryLockError::Error(error)) => return Err(error).with_context(unusable),
        }
        let secrets = secrets(&path.join("secrets.json"))?;
        Ok(Self { path, secrets, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

fn secrets(file: &Path) -> Result<Secrets> {
    if file.exists() {
        let text = fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
        return serde_json::from_str(&text).with_context(|| format!("{} is damaged", file.display()));
    }
    let secrets = Secrets::random()?;
    // Written aside first, so that a lost machine leaves all of it or nothing.
    let draft = file.with_extension("draft");
    let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    out.write_all(serde_json::to_string_pretty(&secrets)?.as_bytes())?;
    out.sync_all()?;
    fs::rename(&draft, file)?;
    Ok(secrets)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn secrets_are_kept_and_private() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("deep/data");
        let first = DataFolder::open(&path).expect("opened").secrets.master_key;
        assert_eq!(first.len(), 64);
        assert_eq!(DataFolder::open(&path).expect("opened").secrets.master_key, first);
        let mode = fs::metadata(path.join("secrets.json")).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn one_folder_serves_one_at_a_time() {
        let parent = tempfile::tempdir().expect("a folder");
        let holder = DataFolder::open(parent.path()).expect("opened");
        let refused = DataFolder::open(parent.path()).map(drop).expect_err("held").to_string();
        assert!(refused.contains("another Routewright already uses"), "{refused}");
        drop(holder);
        DataFolder::open(parent.path()).expect("free again");
    }

    #[test]
    fn damaged_secrets_are_not_replaced() {
        let parent = tempfile::tempdir().expect("a folder");
        fs::write(parent.path().join("secrets.json"), "{").expect("written");
        assert!(DataFolder::open(parent.path()).is_err(), "new keys would make the old data unreadable");
    }
}
