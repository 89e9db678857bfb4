//! Places in tables: `location` on the wire is `address`, `lat`, `lon` (and where it came from) in columns, so that a
//! job's place never changes under it.

use serde_json::{Map, Value};

/// Replaces the wire field `field` by its columns, all named with `prefix` (`""`, `"start_"`, `"end_"`).
pub(crate) fn flatten(fields: &mut Map<String, Value>, field: &str, prefix: &str) {
    let Some(place) = fields.remove(field) else { return };
    for (column, key) in [("location_id", "id"), ("address", "address"), ("lat", "lat"), ("lon", "lon")] {
        fields.insert(format!("{prefix}{column}"), place.get(key).cloned().unwrap_or(Value::Null));
    }
}

/// SQL that puts the columns together again, for select lists.
macro_rules! place {
    ($prefix:literal, $as:literal) => {
        concat!(
            "case when ",
            $prefix,
            "lat is null then null else jsonb_build_object('id', ",
            $prefix,
            "location_id, 'address', ",
            $prefix,
            "address, 'lat', ",
            $prefix,
            "lat, 'lon', ",
            $prefix,
            "lon) end as ",
            $as
        )
    };
}
pub(crate) use place;
