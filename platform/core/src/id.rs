//! Integer ids that remember what they identify.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Marker of organisations, so that `Id<Organisation>` is known to every crate.
#[derive(Debug)]
pub struct Organisation;

/// Id of an organisation.
pub type OrganisationId = Id<Organisation>;

/// Id of a `T` within its organisation; on the wire a plain integer.
pub struct Id<T>(pub i64, PhantomData<fn() -> T>);

impl<T> Id<T> {
    /// Wraps a number that is known to be an id of `T`.
    #[must_use]
    pub const fn new(value: i64) -> Self {
        Self(value, PhantomData)
    }

    /// The bare number, as bound to SQL.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<T> From<i64> for Id<T> {
    fn from(value: i64) -> Self {
        Self::new(value)
    }
}
impl<T> FromStr for Id<T> {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        text.parse().map(Self::new)
    }
}
impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}
impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Self::new)
    }
}
impl<T> JsonSchema for Id<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        i64::json_schema(generator)
    }
}
impl<T> sqlx::Type<sqlx::Postgres> for Id<T> {
    fn type_info() -> sqlx::postgres::PgTypeInfo {
        <i64 as sqlx::Type<sqlx::Postgres>>::type_info()
    }
}
impl<'q, T> sqlx::Encode<'q, sqlx::Postgres> for Id<T> {
    fn encode_by_ref(
        &self,
        buffer: &mut sqlx::postgres::PgArgumentBuffer,
    ) -> std::result::Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
        <i64 as sqlx::Encode<sqlx::Postgres>>::encode_by_ref(&self.0, buffer)
    }
}
impl<'r, T> sqlx::Decode<'r, sqlx::Postgres> for Id<T> {
    fn decode(value: sqlx::postgres::PgValueRef<'r>) -> std::result::Result<Self, sqlx::error::BoxDynError> {
        <i64 as sqlx::Decode<sqlx::Postgres>>::decode(value).map(Self::new)
    }
}
impl<T> sqlx::postgres::PgHasArrayType for Id<T> {
    fn array_type_info() -> sqlx::postgres::PgTypeInfo {
        <i64 as sqlx::postgres::PgHasArrayType>::array_type_info()
    }
}
