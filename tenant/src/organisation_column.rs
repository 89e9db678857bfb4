//! Every row belongs to the organisation whose schema it lies in. Schemas are named `org_{id}`, and a connection never
//! leaves its own, so that the column need not be stored.

/// SQL that answers the organisation of a row, for select lists.
macro_rules! organisation {
    () => {
        "substr(current_schema, 5)::bigint as organisation_id"
    };
}
pub(crate) use organisation;

/// The same for filters: of another organisation there are no rows.
pub(crate) const ORGANISATION: &str = "substr(current_schema, 5)::bigint";
