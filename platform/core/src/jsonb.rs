//! A `jsonb` column with a type, which also has a schema in the API document.

use std::ops::{Deref, DerefMut};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo, PgValueRef, Postgres};
use sqlx::types::Json;

/// A value stored as `jsonb`; on the wire just the value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Jsonb<T>(pub T);

impl<T> Deref for Jsonb<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Jsonb<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: JsonSchema> JsonSchema for Jsonb<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

impl<T> sqlx::Type<Postgres> for Jsonb<T> {
    fn type_info() -> PgTypeInfo {
        <Json<T> as sqlx::Type<Postgres>>::type_info()
    }

    fn compatible(ty: &PgTypeInfo) -> bool {
        <Json<T> as sqlx::Type<Postgres>>::compatible(ty)
    }
}

impl<T: Serialize> sqlx::Encode<'_, Postgres> for Jsonb<T> {
    fn encode_by_ref(
        &self,
        buffer: &mut PgArgumentBuffer,
    ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
        Json(&self.0).encode_by_ref(buffer)
    }
}

impl<'r, T: DeserializeOwned + 'r> sqlx::Decode<'r, Postgres> for Jsonb<T> {
    fn decode(value: PgValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
        <Json<T> as sqlx::Decode<'r, Postgres>>::decode(value).map(|Json(value)| Self(value))
    }
}
