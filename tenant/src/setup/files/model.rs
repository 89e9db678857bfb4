//! A file's row and what others show of it.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// A file.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct StoredFile {
    /// Id.
    pub id: i64,
    /// Random name under which it can be read.
    pub uid: String,
    /// Where the bytes are, below the API base.
    pub link: String,
    /// Name it was uploaded with.
    pub name: String,
    /// What the uploader filed it under, such as `logo-`.
    pub prefix: Option<String>,
    /// Media type, told by the content.
    pub content_type: String,
    /// Bytes.
    pub size: i64,
    /// When it was uploaded.
    pub created: DateTime<Utc>,
    /// User who uploaded it.
    pub created_by: Option<i64>,
}

/// A file inside another answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct FileLink {
    /// Id.
    pub id: i64,
    /// Random name under which it can be read.
    pub uid: String,
    /// Where the bytes are, below the API base.
    pub link: String,
}

/// SQL of the file whose id is in the column, as a [`FileLink`]; none when its time is over.
macro_rules! file {
    ($column:literal) => {
        concat!(
            "(select jsonb_build_object('id', f.id, 'uid', f.uid, 'link', '/files/uid/' || f.uid) from files f
                where f.id = ",
            $column,
            " and f.removed_at is null)"
        )
    };
}
pub(crate) use file as FILE;

/// SQL of the files whose ids are in the array column, as a list of [`FileLink`] in that order.
macro_rules! photos {
    ($column:literal) => {
        concat!(
            "coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'uid', f.uid, 'link', '/files/uid/' || f.uid)
                order by given.position) from unnest(",
            $column,
            ") with ordinality as given (id, position) join files f on f.id = given.id
                and f.removed_at is null), '[]')"
        )
    };
}
pub(crate) use photos as PHOTOS;
