//! `POST /excel_exports`: an export that is made in the background however small it is.

use std::collections::BTreeMap;

use routewright_core::{Body, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;

use super::make;
use crate::setup::excel_exports::{self, Queued, Source, Wanted};

/// What is to be exported.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ExportWanted")]
pub(super) struct Export {
    /// What it is made of.
    source: Source,
    /// `excel` or `csv`.
    #[serde(default)]
    kind: Option<String>,
    /// Filters of the search by name, as its query takes them.
    #[serde(default)]
    filters: BTreeMap<String, String>,
}

/// `POST /excel_exports`.
pub(super) async fn create(mut db: Db, Body(body): Body<Export>) -> Result<Queued> {
    let caller = db.caller().clone();
    let wanted = Wanted::parse(Some(&query(&body)))?;
    body.source.require(&caller)?;
    // What is wrong with the filters is told now, not by a failed export.
    make::check(&mut db, &caller, body.source, &wanted).await?;
    excel_exports::order(&mut db, &caller, body.source, wanted.kind, &wanted.query()).await
}

fn query(body: &Export) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(&body.filters).append_pair("kind", body.kind.as_deref().unwrap_or("excel"));
    query.finish()
}
