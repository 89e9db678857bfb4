//! Mappings that somebody of the organisation chose before, by the headers of the file: the same program writes the same
//! headers every day, and colleagues need not map them again.

use std::collections::BTreeMap;

use routewright_core::{Jsonb, Result};
use routewright_tenancy::Db;
use sha2::{Digest as _, Sha256};
use sqlx::postgres::PgConnection;
use sqlx::types::Json;

use super::mapping::normalise;

/// Most mappings of an organisation; those that were used longest ago give way.
const MOST: i64 = 500;
/// Most columns of a mapping that is kept.
const WIDEST: usize = 500;

/// What files with these headers are known by, whatever the order of their columns.
fn fingerprint<'a>(headers: impl Iterator<Item = &'a str>) -> String {
    let mut headers: Vec<String> = headers.map(normalise).collect();
    headers.sort_unstable();
    Sha256::digest(headers.join("\n")).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Targets by header that were last chosen for these headers.
pub(super) async fn find(
    connection: &mut PgConnection,
    headers: &[&str],
) -> Result<Option<BTreeMap<String, String>>> {
    let found: Option<Jsonb<BTreeMap<String, String>>> =
        sqlx::query_scalar("select mapping from import_mappings where fingerprint = $1")
            .bind(fingerprint(headers.iter().copied()))
            .fetch_optional(connection)
            .await?;
    let Some(found) = found else { return Ok(None) };
    let by_name: BTreeMap<String, &String> =
        found.iter().map(|(header, target)| (normalise(header), target)).collect();
    let mapping = headers
        .iter()
        .filter_map(|header| Some(((*header).to_owned(), (*by_name.get(&normalise(header))?).clone())))
        .collect();
    Ok(Some(mapping))
}

/// Keeps a mapping that an import was done with.
pub(super) async fn keep(db: &mut Db, mapping: &BTreeMap<String, String>) -> Result<()> {
    if mapping.is_empty() || mapping.len() > WIDEST {
        return Ok(());
    }
    sqlx::query(
        "insert into import_mappings (fingerprint, mapping) values ($1, $2)
         on conflict (fingerprint) do update set mapping = excluded.mapping, used = excluded.used",
    )
    .bind(fingerprint(mapping.keys().map(String::as_str)))
    .bind(Json(mapping))
    .execute(&mut **db)
    .await?;
    sqlx::query(
        "delete from import_mappings where fingerprint in
             (select fingerprint from import_mappings order by used desc, fingerprint offset $1)",
    )
    .bind(MOST)
    .execute(&mut **db)
    .await?;
    Ok(())
}
