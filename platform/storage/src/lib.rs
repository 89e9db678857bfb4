//! Files of the organisations: an S3 bucket in which each organisation has a folder of its own, and the
//! door through which uploads enter it.

mod content;
mod picture;
mod storage;
mod upload;

pub use content::FileKind;
pub use picture::{MAX_PIXELS, Reduced, memory_of, reduce};
pub use storage::{Folder, Object, Storage, StorageConfig, StorageError};
pub use upload::{MAX_UPLOAD_BYTES, Purpose, Upload, UploadError, accept_upload, upload_memory};
