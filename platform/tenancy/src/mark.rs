//! The mark that a schema bears once it has been migrated: a comment that stands for the files and rights of the program
//! that did it. It lies in the schema and not in the schema `control`, so that it is true as well of a schema or a
//! database that came back from a backup.

use std::collections::HashSet;
use std::sync::LazyLock;

use routewright_core::{OrganisationId, Result};
use sha2::{Digest as _, Sha256};
use sqlx::{ConnectOptions as _, Connection as _};

use crate::files::TENANT;
use crate::placement::Placements;
use crate::role;

/// The mark of this program. Any other set of files, of their contents or of rights has another one.
static CURRENT: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for migration in TENANT.iter() {
        hash.update(migration.version.to_be_bytes());
        hash.update(&migration.checksum);
    }
    hash.update(role::rights(OrganisationId::new(0)));
    let digest: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("Routewright schema {digest}")
});

/// The statement that marks an organisation's schema as migrated.
pub(crate) fn statement(organisation: OrganisationId) -> String {
    format!("comment on schema {} is '{}'", role::name(organisation), *CURRENT)
}

/// The schemas that bear the mark, with their placement: one question for each placement. A placement that does not
/// answer has none, so that its organisations are tried and each keeps the reason.
pub(crate) async fn marked(placements: &Placements) -> HashSet<(String, String)> {
    let mut marked = HashSet::new();
    for placement in placements.names() {
        match marked_at(placements, placement).await {
            Ok(schemas) => marked.extend(schemas.into_iter().map(|schema| (placement.to_owned(), schema))),
            Err(error) => tracing::warn!(placement, ?error, "the schemas of a placement cannot be listed"),
        }
    }
    marked
}

async fn marked_at(placements: &Placements, placement: &str) -> Result<Vec<String>> {
    let mut owner = placements.owner(placement)?.connect().await?;
    let schemas = sqlx::query_scalar(
        "select nspname::text from pg_namespace where obj_description(oid, 'pg_namespace') = $1",
    )
    .bind(CURRENT.as_str())
    .fetch_all(&mut owner)
    .await?;
    owner.close().await?;
    Ok(schemas)
}
