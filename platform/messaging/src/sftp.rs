//! Files for partners over SFTP (SSH File Transfer Protocol, version 3). The server is known by the fingerprint of its key;
//! a file appears under its name only when it is there whole.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use routewright_core::transaction;
use routewright_outbound::{PRIVATE, WayOut, is_public};
use russh::client::{self, Handle};
use russh::keys::{HashAlg, PrivateKeyWithHashAlg, PublicKeyOrCertificate, decode_secret_key};
use russh_sftp::client::SftpSession;
use russh_sftp::client::error::Error as SftpError;
use russh_sftp::protocol::StatusCode;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::SendError;

/// Longest time for one file.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest time for connecting to one address.
const CONNECT: Duration = Duration::from_secs(10);

/// An account at an SFTP server.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SftpAccount {
    /// Name or address of the server.
    pub host: String,
    /// Port; 22 unless told otherwise.
    #[serde(default = "ssh_port")]
    pub port: u16,
    /// User.
    pub user: String,
    /// Private key in OpenSSH, PKCS#8 or PuTTY form, without a passphrase.
    #[serde(default)]
    pub key: Option<String>,
    /// Password, when there is no key.
    #[serde(default)]
    pub password: Option<String>,
    /// Fingerprint of the server's key as `ssh-keygen -l` shows it: `SHA256:…`.
    pub fingerprint: String,
    /// Folder on the server; the user's own when empty.
    #[serde(default)]
    pub directory: String,
}

fn ssh_port() -> u16 {
    22
}

impl std::fmt::Debug for SftpAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SftpAccount")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("user", &self.user)
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

/// Accepts the one key that the organisation has named.
struct Known {
    fingerprint: String,
    /// Set when the server showed another one.
    strange: Arc<AtomicBool>,
}

impl client::Handler for Known {
    type Error = russh::Error;

    async fn check_server_key(&mut self, key: &PublicKeyOrCertificate) -> Result<bool, russh::Error> {
        let known = match key {
            PublicKeyOrCertificate::PublicKey { key, .. } => {
                key.fingerprint(HashAlg::Sha256).to_string() == self.fingerprint
            }
            PublicKeyOrCertificate::Certificate(_) => false,
        };
        self.strange.store(!known, Ordering::Relaxed);
        Ok(known)
    }
}

/// The way to SFTP servers.
#[derive(Debug, Clone, Copy)]
pub struct Sftp {
    /// Whether servers on the own network may be reached: for development and tests only.
    pub allow_private: bool,
}

impl Sftp {
    /// Writes a file under a temporary name and renames it; one of the same name is replaced.
    ///
    /// # Errors
    /// Permanent when trying again cannot help: wrong account, key or folder; temporary when the server cannot be reached.
    pub async fn put(
        &self,
        _way: &WayOut,
        account: &SftpAccount,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), SendError> {
        transaction::slow("the SFTP server");
        tokio::time::timeout(PATIENCE, self.deliver(account, name, bytes))
            .await
            .map_err(|_| SendError::Temporary("The SFTP server did not answer in time".to_owned()))?
    }

    async fn deliver(&self, account: &SftpAccount, name: &str, bytes: &[u8]) -> Result<(), SendError> {
        let session = self.sign_in(account).await?;
        let written = write(&session, account, name, bytes).await;
        // The file is there or not; how the connection ends changes nothing.
        drop(session.disconnect(russh::Disconnect::ByApplication, "", "").await);
        written
    }

    async fn sign_in(&self, account: &SftpAccount) -> Result<Handle<Known>, SendError> {
        let stream = self.connect(account).await?;
        let config = client::Config { inactivity_timeout: Some(PATIENCE), ..client::Config::default() };
        let strange = Arc::new(AtomicBool::new(false));
        let known =
            Known { fingerprint: account.fingerprint.trim().to_owned(), strange: Arc::clone(&strange) };
        let connected = client::connect_stream(Arc::new(config), stream, known).await;
        let mut session = connected.map_err(|error| {
            if strange.load(Ordering::Relaxed) {
                SendError::Permanent(
                    "The SFTP server has another key than the fingerprint that is stored".to_owned(),
                )
            } else {
                SendError::Temporary(format!("The SFTP server does not speak with us: {error}"))
            }
        })?;
        let accepted = match (&account.key, &account.password) {
            (Some(key), _) => {
                let key = decode_secret_key(key, None).map_err(|_| {
                    SendError::Permanent("The private key of the SFTP account cannot be read".to_owned())
                })?;
                let hash = if key.algorithm().is_rsa() {
                    session.best_supported_rsa_hash().await.map_err(lost)?.flatten()
                } else {
                    None
                };
                let key = PrivateKeyWithHashAlg::new(Arc::new(key), hash);
                session.authenticate_publickey(&account.user, key).await.map_err(lost)?
            }
            (None, Some(password)) => {
                session.authenticate_password(&account.user, password).await.map_err(lost)?
            }
            (None, None) => {
                return Err(SendError::Permanent("The SFTP account has neither key nor password".to_owned()));
            }
        };
        if accepted.success() {
            Ok(session)
        } else {
            Err(SendError::Permanent("The SFTP server does not accept the account".to_owned()))
        }
    }

    /// Connects to the first address that answers; addresses of the own network are refused.
    async fn connect(&self, account: &SftpAccount) -> Result<TcpStream, SendError> {
        let found: Vec<SocketAddr> = tokio::net::lookup_host((account.host.as_str(), account.port))
            .await
            .map_err(|error| SendError::Temporary(format!("The SFTP server is not found: {error}")))?
            .collect();
        if !self.allow_private && !found.iter().all(|address| is_public(address.ip())) {
            return Err(SendError::Permanent(PRIVATE.to_owned()));
        }
        let mut reason = "it has no address".to_owned();
        for address in found {
            match tokio::time::timeout(CONNECT, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => reason = error.to_string(),
                Err(_) => "no answer".clone_into(&mut reason),
            }
        }
        Err(SendError::Temporary(format!("The SFTP server cannot be reached: {reason}")))
    }
}

async fn write(
    session: &Handle<Known>,
    account: &SftpAccount,
    name: &str,
    bytes: &[u8],
) -> Result<(), SendError> {
    let channel = session.channel_open_session().await.map_err(lost)?;
    channel.request_subsystem(true, "sftp").await.map_err(lost)?;
    let sftp = SftpSession::new(channel.into_stream()).await.map_err(|error| refused("opening", &error))?;
    let folder = account.directory.trim().trim_end_matches('/');
    let place = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let (temporary, whole) = (place(&format!(".{name}.part")), place(name));
    let mut file = sftp.create(&temporary).await.map_err(|error| refused("writing", &error))?;
    let written = async {
        file.write_all(bytes).await?;
        file.shutdown().await
    };
    written.await.map_err(|error| SendError::Temporary(format!("The file was not written: {error}")))?;
    // Version 3 of the protocol renames onto nothing that exists.
    match sftp.remove_file(&whole).await {
        Ok(()) => {}
        Err(SftpError::Status(status)) if status.status_code == StatusCode::NoSuchFile => {}
        Err(error) => return Err(refused("replacing", &error)),
    }
    sftp.rename(&temporary, &whole).await.map_err(|error| refused("renaming", &error))
}

fn lost(error: russh::Error) -> SendError {
    SendError::Temporary(format!("The connection to the SFTP server was lost: {error}"))
}

/// What the server said to one of our requests.
fn refused(what: &str, error: &SftpError) -> SendError {
    match error {
        SftpError::Status(status) => {
            SendError::Permanent(format!("The SFTP server refused {what} the file: {}", status.error_message))
        }
        other => SendError::Temporary(format!("The SFTP server failed at {what} the file: {other}")),
    }
}
