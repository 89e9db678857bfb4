//! The door through which files come in: one `multipart/form-data` part `file`, and `prefix` where the caller files it.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::Operation;
use axum::Json;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request, State};
use bytes::{Bytes, BytesMut};
use routewright_core::check;
use routewright_core::error::Kind;
use routewright_core::{Error, Result, transaction};
use routewright_governor::{Kind as Task, Piece};
use routewright_identity::Caller;
use routewright_storage::{
    FileKind, MAX_UPLOAD_BYTES, Purpose, Upload, UploadError, accept_upload, upload_memory,
};
use routewright_tenancy::LateDb;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnection;

use super::keep;
use super::store::{folder, storage_error, written};
use crate::app::App;

/// Largest text part, bytes.
const TEXT_PART: usize = 4 * 1024;
/// Longest file name that is kept, characters.
const NAME_LENGTH: usize = 200;
/// Prefix of photos and signatures that office users attach to a proof: such images are kept to the byte.
const PROOF_PREFIX: &str = "proof";

/// A file as it arrived.
pub(crate) struct Incoming {
    name: String,
    prefix: Option<String>,
    bytes: Bytes,
}

/// Answer of an upload.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Uploaded {
    /// Id.
    pub(crate) id: i64,
    /// Random name under which it can be read.
    uid: String,
    /// Where the bytes are, below the API base.
    link: String,
}

impl Incoming {
    /// Name it arrived with, without its path.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What the caller files it under.
    pub(crate) fn prefix(&self) -> Option<&str> {
        self.prefix.as_deref()
    }

    /// The bytes as they arrived.
    pub(crate) fn bytes(&self) -> Bytes {
        self.bytes.clone()
    }
}

/// A file whose bytes are stored. Unless it becomes ready it is tidied away.
pub(crate) struct Brought {
    id: i64,
    uid: String,
}

impl Brought {
    /// Says that it is there.
    ///
    /// # Errors
    /// Database faults.
    pub(crate) async fn ready(self, connection: &mut PgConnection) -> Result<Uploaded> {
        keep::ready(connection, self.id).await?;
        let link = format!("/files/uid/{}", self.uid);
        Ok(Uploaded { id: self.id, uid: self.uid, link })
    }
}

/// Stores what an office user uploads. Pictures for proofs are kept to the byte. No transaction may be open.
///
/// # Errors
/// 400, 413 and 415 for what is no file that is taken; 503 when the storage cannot be reached.
pub(crate) async fn by_user(app: &App, caller: &Caller, file: Incoming) -> Result<Brought> {
    let proof = file.prefix.as_deref().is_some_and(|prefix| prefix.starts_with(PROOF_PREFIX));
    store(app, caller, file, if proof { Purpose::Proof } else { Purpose::Ordinary }).await
}

/// `POST /v2/runsheet/upload/file`: what a driver uploads belongs to proofs.
pub(super) async fn by_run(
    caller: Caller,
    State(app): State<App>,
    late: LateDb,
    file: Incoming,
) -> Result<Json<Uploaded>> {
    let brought = store(&app, &caller, file, Purpose::Proof).await?;
    let mut db = late.open().await?;
    brought.ready(&mut db).await.map(Json)
}

/// Keeps the row first, then the bytes: nothing lies in the storage that no row knows.
async fn store(app: &App, caller: &Caller, file: Incoming, purpose: Purpose) -> Result<Brought> {
    let memory = upload_memory(&file.bytes).map_err(|error| Refused::from(error).error())?;
    let piece = AcceptUpload { purpose };
    let (accepted, bytes) = app.governor.apart(caller.share()?, memory, piece, file.bytes.clone()).await?;
    let Accepted { kind, checksum, as_it_came } = accepted.map_err(Refused::error)?;
    let bytes = if as_it_came { file.bytes } else { bytes };
    let uid = app.gate.links.long(caller.organisation()?);
    let key = format!("files/{}{uid}.{}", file.prefix.as_deref().unwrap_or_default(), kind.extension());

    let mut work = app.tenants.of(caller)?.begin().await?;
    let id: i64 = sqlx::query_scalar(
        "insert into files (uid, name, prefix, content_type, size, storage_key, checksum, created_by, created_by_run)
         values ($1, $2, $3, $4, $5, $6, $7, $8, (select r.id from runs r where r.id = $9)) returning id",
    )
    .bind(&uid)
    .bind(&file.name)
    .bind(&file.prefix)
    .bind(kind.content_type())
    .bind(i64::try_from(bytes.len()).map_err(Error::internal)?)
    .bind(&key)
    .bind(checksum)
    .bind(caller.user_id())
    .bind(caller.run_id())
    .fetch_one(&mut *work)
    .await?;
    work.commit().await?;

    folder(app, caller)?.put(&key, kind.content_type(), bytes).await.map_err(storage_error)?;
    Ok(Brought { id, uid })
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    written(Sha256::new_with_prefix(bytes))
}

/// Checks an upload, and takes from pictures what is not their picture.
#[derive(Serialize, Deserialize)]
pub(crate) struct AcceptUpload {
    purpose: Purpose,
}

/// What an upload is.
#[derive(Serialize, Deserialize)]
pub(crate) struct Accepted {
    kind: FileKind,
    checksum: String,
    /// Whether its bytes are those that came.
    as_it_came: bool,
}

/// Why an upload is refused.
#[derive(Serialize, Deserialize)]
pub(crate) struct Refused {
    why: Why,
    text: String,
}

#[derive(Serialize, Deserialize)]
enum Why {
    Empty,
    TooLarge,
    Unsupported,
}

impl Piece for AcceptUpload {
    const NAME: &'static str = "accept_upload";
    const KIND: Task = Task::Decode;
    type Answer = std::result::Result<Accepted, Refused>;

    fn work(self, bytes: Vec<u8>) -> (Self::Answer, Vec<u8>) {
        let bytes = Bytes::from(bytes);
        match accept_upload(bytes.clone(), self.purpose) {
            Ok(Upload { kind, bytes: accepted }) => {
                let (checksum, as_it_came) = (hexadecimal(&accepted), accepted == bytes);
                let back = if as_it_came { Vec::new() } else { accepted.into() };
                (Ok(Accepted { kind, checksum, as_it_came }), back)
            }
            Err(error) => (Err(error.into()), Vec::new()),
        }
    }
}

impl From<UploadError> for Refused {
    fn from(error: UploadError) -> Self {
        let why = match error {
            UploadError::Empty => Why::Empty,
            UploadError::TooLarge | UploadError::TooManyPixels { .. } => Why::TooLarge,
            UploadError::UnsupportedType | UploadError::UnreadableImage(_) => Why::Unsupported,
        };
        Self { why, text: error.to_string() }
    }
}

impl Refused {
    fn error(self) -> Error {
        match self.why {
            Why::Empty => Error::field("file", self.text),
            Why::TooLarge => Error::new(Kind::TooLarge, self.text),
            Why::Unsupported => Error::new(Kind::UnsupportedMedia, self.text),
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Incoming {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let mut form = Multipart::from_request(request, state).await.map_err(|error| {
            Error::new(Kind::UnsupportedMedia, "Content-Type must be multipart/form-data").caused_by(error)
        })?;
        let (mut file, mut prefix) = (None, None);
        transaction::slow("the request's body");
        while let Some(mut field) = form.next_field().await.map_err(broken)? {
            match field.name().unwrap_or_default() {
                "file" => {
                    let name = file_name(field.file_name().unwrap_or_default());
                    file = Some((name, read(&mut field, MAX_UPLOAD_BYTES).await?));
                }
                "prefix" => prefix = self::prefix(&read(&mut field, TEXT_PART).await?)?,
                // Other parts say nothing that is kept.
                _ => drop(read(&mut field, TEXT_PART).await?),
            }
        }
        let (name, bytes) = file.ok_or_else(|| Error::field("file", check::REQUIRED))?;
        Ok(Self { name, prefix, bytes })
    }
}

async fn read(field: &mut Field<'_>, limit: usize) -> Result<Bytes> {
    let mut bytes = BytesMut::new();
    while let Some(piece) = field.chunk().await.map_err(broken)? {
        if bytes.len() + piece.len() > limit {
            let text = if limit == MAX_UPLOAD_BYTES {
                UploadError::TooLarge.to_string()
            } else {
                "A part of the form is too large".to_owned()
            };
            return Err(Error::new(Kind::TooLarge, text));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.freeze())
}

fn broken(error: MultipartError) -> Error {
    if error.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
        return Error::new(Kind::TooLarge, UploadError::TooLarge.to_string()).caused_by(error);
    }
    Error::bad_request("The form is incomplete or malformed").caused_by(error)
}

/// The last part of a path, without what no file name needs.
fn file_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let name: String = last.chars().filter(|c| !c.is_control()).take(NAME_LENGTH).collect();
    if name.is_empty() { "file".to_owned() } else { name }
}

/// The prefix becomes part of the stored name, so it is held to plain letters.
fn prefix(bytes: &[u8]) -> Result<Option<String>> {
    let text = std::str::from_utf8(bytes).unwrap_or("\u{0}").trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if text.len() > 40 || !text.chars().all(plain) {
        return Err(Error::field("prefix", check::SPECIAL));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

impl OperationInput for Incoming {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        <Multipart as OperationInput>::operation_input(ctx, operation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_path_and_control_characters() {
        assert_eq!(file_name("C:\\photos\\door.jpg"), "door.jpg");
        assert_eq!(file_name("../../etc/pass\nwd"), "passwd");
        assert_eq!(file_name(""), "file");
        assert_eq!(file_name(&"x".repeat(500)).len(), NAME_LENGTH);
    }

    #[test]
    fn a_prefix_is_plain() {
        assert_eq!(prefix(b"logo-").ok(), Some(Some("logo-".to_owned())));
        assert_eq!(prefix(b" ").ok(), Some(None));
        for wrong in [&b"../"[..], b"a b", b"\xff", b"a/b"] {
            assert!(prefix(wrong).is_err(), "{wrong:?}");
        }
    }
}
