use std::fmt;
use std::time::Duration;

use aws_sdk_s3::Client;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{
    BehaviorVersion, Credentials, Region, RequestChecksumCalculation, ResponseChecksumValidation,
};
use aws_sdk_s3::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::create_bucket::CreateBucketError;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{BucketLocationConstraint, CreateBucketConfiguration, Delete, ObjectIdentifier};
use bytes::Bytes;
use futures_util::Stream;
use routewright_core::config::{ConfigError, Source};
use routewright_core::full::{self, Place};
use routewright_core::transaction;
use tokio_util::io::ReaderStream;

/// S3's own region, the only one whose buckets are created without naming it.
const DEFAULT_REGION: &str = "us-east-1";

/// What handlers wait for, as the rule about open transactions names it.
const STORAGE: &str = "the file storage";

/// Where the files are kept.
#[derive(Clone)]
pub struct StorageConfig {
    /// Address of the S3 service; `None` for Amazon's own in `region`.
    pub endpoint: Option<String>,
    /// Region that requests are signed for, for example `us-east-1`.
    pub region: String,
    /// Bucket for the files of all organisations.
    pub bucket: String,
    /// Access key id.
    pub access_key: String,
    /// Secret key.
    pub secret_key: String,
    /// Whether the bucket is part of the path instead of the host name, as most self-hosted servers want it.
    pub path_style: bool,
}

impl StorageConfig {
    /// Reads `S3_ENDPOINT`, `S3_REGION` (default `us-east-1`), `S3_BUCKET`, `S3_ACCESS_KEY`, `S3_SECRET_KEY` and
    /// `S3_PATH_STYLE` (default: true with an endpoint).
    ///
    /// # Errors
    /// When a variable is missing or wrong.
    pub fn from_source(source: &impl Source) -> Result<Self, ConfigError> {
        let endpoint = source.text("S3_ENDPOINT");
        Ok(Self {
            region: source.parsed("S3_REGION", DEFAULT_REGION.to_owned())?,
            bucket: source.required("S3_BUCKET")?,
            access_key: source.required("S3_ACCESS_KEY")?,
            secret_key: source.required("S3_SECRET_KEY")?,
            path_style: source.parsed("S3_PATH_STYLE", endpoint.is_some())?,
            endpoint,
        })
    }
}

impl fmt::Debug for StorageConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StorageConfig")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("bucket", &self.bucket)
            .field("path_style", &self.path_style)
            .finish_non_exhaustive()
    }
}

/// Why a file could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There is no such file (or no such bucket).
    #[error("file not found")]
    NotFound,
    /// Keys are relative paths of plain segments: letters, digits, `.`, `_`, `-`.
    #[error("not a valid file key: {0:?}")]
    InvalidKey(String),
    /// The service could not be reached or did not answer in time; later it may.
    #[error("the file storage cannot be reached: {0}")]
    Unavailable(String),
    /// The service has no room for more.
    #[error("the file storage is full: {0}")]
    Full(String),
    /// The service answered with a refusal, for example wrong keys.
    #[error("the file storage refused: {0}")]
    Refused(String),
}

/// The bucket. Cheap to clone.
#[derive(Clone)]
pub struct Storage {
    client: Client,
    region: String,
    bucket: String,
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Storage").field("bucket", &self.bucket).finish_non_exhaustive()
    }
}

impl Storage {
    /// Prepares access; does not connect yet.
    pub fn new(config: &StorageConfig) -> Self {
        let credentials =
            Credentials::new(&config.access_key, &config.secret_key, None, None, "configuration");
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(3))
            .operation_attempt_timeout(Duration::from_secs(60))
            .build();
        let mut settings = aws_sdk_s3::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(config.region.clone()))
            .credentials_provider(credentials)
            .force_path_style(config.path_style)
            .retry_config(RetryConfig::standard().with_max_attempts(3))
            .timeout_config(timeouts)
            // Servers other than Amazon's do not all know the newer checksum headers.
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
        settings.set_endpoint_url(config.endpoint.clone());
        Self {
            client: Client::from_conf(settings.build()),
            region: config.region.clone(),
            bucket: config.bucket.clone(),
        }
    }

    /// Creates the bucket unless it exists.
    ///
    /// # Errors
    /// When the service cannot be reached or refuses.
    pub async fn ensure_bucket(&self) -> Result<(), StorageError> {
        let found = self.client.head_bucket().bucket(&self.bucket).send().await;
        match found.map_err(StorageError::from) {
            Ok(_) => return Ok(()),
            Err(StorageError::NotFound) => {}
            Err(error) => return Err(error),
        }
        let place = (self.region != DEFAULT_REGION).then(|| {
            CreateBucketConfiguration::builder()
                .location_constraint(BucketLocationConstraint::from(self.region.as_str()))
                .build()
        });
        let created = self
            .client
            .create_bucket()
            .bucket(&self.bucket)
            .set_create_bucket_configuration(place)
            .send()
            .await;
        match created {
            Ok(_) => Ok(()),
            // Another replica was faster.
            Err(SdkError::ServiceError(refusal))
                if matches!(
                    refusal.err(),
                    CreateBucketError::BucketAlreadyOwnedByYou(_) | CreateBucketError::BucketAlreadyExists(_)
                ) =>
            {
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The files of one organisation; nothing outside of them can be reached through it.
    pub fn organisation(&self, organisation_id: i64) -> Folder {
        Folder { storage: self.clone(), prefix: format!("org_{organisation_id}/") }
    }
}

/// The files of one organisation, below `org_{id}/`.
#[derive(Clone, Debug)]
pub struct Folder {
    storage: Storage,
    prefix: String,
}

/// A stored file, its content still to be read.
pub struct Object {
    /// Media type it was stored with.
    pub content_type: Option<String>,
    /// Size in bytes.
    pub size: u64,
    body: ByteStream,
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object")
            .field("content_type", &self.content_type)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Object {
    /// The content piece by piece, as it arrives.
    pub fn into_stream(self) -> impl Stream<Item = std::io::Result<Bytes>> + Send + 'static {
        ReaderStream::with_capacity(self.body.into_async_read(), 64 * 1024)
    }

    /// The whole content at once.
    ///
    /// # Errors
    /// When the connection ends before the content does.
    pub async fn into_bytes(self) -> Result<Bytes, StorageError> {
        transaction::slow(STORAGE);
        let body = self.body.collect().await;
        body.map(|body| body.into_bytes()).map_err(|error| StorageError::Unavailable(error.to_string()))
    }
}

impl Folder {
    /// Stores `bytes` under `key`, replacing what was there.
    ///
    /// # Errors
    /// When the key is invalid or the service cannot be reached or refuses.
    pub async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<(), StorageError> {
        let key = self.key(key)?;
        transaction::slow(STORAGE);
        let Storage { client, bucket, .. } = &self.storage;
        client
            .put_object()
            .bucket(bucket)
            .key(key)
            .content_type(content_type)
            .body(ByteStream::from(bytes))
            .send()
            .await?;
        Ok(())
    }

    /// Opens the file under `key`.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is none.
    pub async fn get(&self, key: &str) -> Result<Object, StorageError> {
        let key = self.key(key)?;
        transaction::slow(STORAGE);
        let Storage { client, bucket, .. } = &self.storage;
        let found = client.get_object().bucket(bucket).key(key).send().await?;
        let size = found.content_length().and_then(|length| u64::try_from(length).ok()).unwrap_or_default();
        Ok(Object { content_type: found.content_type, size, body: found.body })
    }

    /// Whether there is a file under `key`.
    ///
    /// # Errors
    /// When the key is invalid or the service cannot be reached or refuses.
    pub async fn exists(&self, key: &str) -> Result<bool, StorageError> {
        let key = self.key(key)?;
        transaction::slow(STORAGE);
        let Storage { client, bucket, .. } = &self.storage;
        match client.head_object().bucket(bucket).key(key).send().await.map_err(StorageError::from) {
            Ok(_) => Ok(true),
            Err(StorageError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the file under `key`; that there is none is no error.
    ///
    /// # Errors
    /// When the key is invalid or the service cannot be reached or refuses.
    pub async fn delete(&self, key: &str) -> Result<(), StorageError> {
        let key = self.key(key)?;
        transaction::slow(STORAGE);
        let Storage { client, bucket, .. } = &self.storage;
        match client.delete_object().bucket(bucket).key(key).send().await.map_err(StorageError::from) {
            Ok(_) | Err(StorageError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Keys of all files, in no particular order, as the other calls take them.
    ///
    /// # Errors
    /// When the service cannot be reached or refuses.
    pub async fn keys(&self) -> Result<Vec<String>, StorageError> {
        transaction::slow(STORAGE);
        let Storage { client, bucket, .. } = &self.storage;
        let mut pages = client.list_objects_v2().bucket(bucket).prefix(&self.prefix).into_paginator().send();
        let mut keys = Vec::new();
        while let Some(page) = pages.next().await {
            let page = page?;
            let found = page.contents().iter().filter_map(|object| object.key());
            keys.extend(found.filter_map(|key| key.strip_prefix(&self.prefix)).map(str::to_owned));
        }
        Ok(keys)
    }

    /// Removes every file of the organisation; answers how many there were.
    ///
    /// # Errors
    /// When the service cannot be reached or refuses; calling again goes on with what is left.
    pub async fn delete_all(&self) -> Result<usize, StorageError> {
        let keys = self.keys().await?;
        let Storage { client, bucket, .. } = &self.storage;
        // The protocol takes 1,000 keys per request.
        for batch in keys.chunks(1000) {
            let objects = batch
                .iter()
                .map(|key| ObjectIdentifier::builder().key(format!("{}{key}", self.prefix)).build())
                .collect::<Result<Vec<_>, _>>();
            let batch = objects
                .and_then(|objects| Delete::builder().set_objects(Some(objects)).quiet(true).build())
                .map_err(|error| StorageError::Refused(error.to_string()))?;
            let answer = client.delete_objects().bucket(bucket).delete(batch).send().await?;
            if let Some(error) = answer.errors().first() {
                return Err(StorageError::Refused(error.message().unwrap_or("not deleted").to_owned()));
            }
        }
        Ok(keys.len())
    }

    fn key(&self, key: &str) -> Result<String, StorageError> {
        let is_plain = |segment: &str| {
            !matches!(segment, "" | "." | "..")
                && segment.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        };
        if key.len() <= 512 && key.split('/').all(is_plain) {
            Ok(format!("{}{key}", self.prefix))
        } else {
            Err(StorageError::InvalidKey(key.to_owned()))
        }
    }
}

impl<E> From<SdkError<E>> for StorageError
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    fn from(error: SdkError<E>) -> Self {
        let status = error.raw_response().map(|answer| answer.status().as_u16());
        match (&error, status) {
            (SdkError::ServiceError(_), _) if status == Some(507) || error.code().is_some_and(is_full) => {
                full::note(Place::Storage);
                Self::Full(DisplayErrorContext(&error).to_string())
            }
            // A HEAD request has no body that could name the reason.
            (SdkError::ServiceError(_), Some(404)) => Self::NotFound,
            (SdkError::ServiceError(_), Some(status)) if status < 500 => {
                Self::Refused(DisplayErrorContext(&error).to_string())
            }
            (SdkError::ConstructionFailure(_), _) => Self::Refused(DisplayErrorContext(&error).to_string()),
            _ => Self::Unavailable(DisplayErrorContext(&error).to_string()),
        }
    }
}

/// What servers call it: ours, MinIO (its disks, a bucket's quota), Ceph.
fn is_full(code: &str) -> bool {
    ["InsufficientStorage", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "QuotaExceeded"]
        .contains(&code)
}
