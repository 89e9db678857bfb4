//! Isolation is the product: whatever one organisation sends, it reads and changes nothing of another one.
//!
//! [`walk`] goes through the whole route table with another organisation's ids and tokens, [`tokens`] with tokens that were
//! forged or meant for something else, [`side_by_side`] looks at two organisations whose ids are the same.

mod calls;
mod execution;
mod fill;
mod fuzz;
mod side_by_side;
mod strict;
mod tokens;
mod trail;
mod walk;

use sqlx::{AssertSqlSafe, PgConnection};

use fill::Filled;

/// A digest of every table of an organisation, and of what the control schema holds about it.
async fn digest(filled: &Filled) -> Vec<(String, String)> {
    let organisation = &filled.tenant.organisation;
    let mut database: PgConnection = organisation.database().await;
    let tables: Vec<String> = sqlx::query_scalar(
        // The trail grows by what is handed out, be it nothing, and reading it makes entries of its journal.
        "select table_name from information_schema.tables
         where table_schema = current_schema() and table_name not in ('audit_entries', 'audit_journal')
         order by table_name",
    )
    .fetch_all(&mut database)
    .await
    .unwrap();
    assert!(tables.len() > 40, "{tables:?}");
    let mut digest = Vec::new();
    for table in tables {
        let statement =
            format!("select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from \"{table}\" t");
        let sum: String =
            sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut database).await.unwrap();
        digest.push((table, sum));
    }
    for (table, column) in
        [("organisations", "id"), ("users", "organisation_id"), ("roles", "organisation_id")]
    {
        let statement = format!(
            "select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from {table} t where {column} = $1"
        );
        let sum: String = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(organisation.id)
            .fetch_one(&organisation.control)
            .await
            .unwrap();
        digest.push((format!("control.{table}"), sum));
    }
    digest
}

/// Tables that differ.
fn changed(before: &[(String, String)], after: &[(String, String)]) -> Vec<String> {
    before
        .iter()
        .zip(after)
        .filter(|(before, after)| before != after)
        .map(|(table, _)| table.0.clone())
        .collect()
}
