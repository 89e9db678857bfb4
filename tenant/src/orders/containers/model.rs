//! A container's row, fields and checks.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Given, Jsonb, Result};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use crate::orders::items;
use crate::orders::proof_columns::{AttachedProof, proofs};

/// A unit in a container.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ContainedUnit {
    /// Id.
    pub id: i64,
    /// What stands on its label.
    pub uid: String,
    /// Its job; null in the pool.
    pub job_id: Option<i64>,
}

/// A container.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Container {
    /// Id.
    pub id: i64,
    /// What stands on its label.
    pub uid: String,
    /// Further fields by name.
    pub extra_fields: Jsonb<BTreeMap<String, String>>,
    /// Jobs of its units.
    pub job_ids: Vec<i64>,
    /// Its units; a unit is put into a container through its `container_id`.
    pub units: Jsonb<Vec<ContainedUnit>>,
    /// Its proofs, oldest first.
    pub container_proofs: Jsonb<Vec<AttachedProof>>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ContainerFields {
    /// What stands on its label.
    pub uid: Option<String>,
    /// Further fields by name.
    pub extra_fields: Option<BTreeMap<String, String>>,
}

impl Resource for Container {
    const NAME: &'static str = "Container";
    const PATH: &'static str = "/containers";
    const TABLE: &'static str = "containers";
    const FROM: &'static str = "containers c";
    const ID: &'static str = "c.id";
    const COLUMNS: &'static str = concat!(
        "c.id, c.uid, c.extra_fields,
        array(select distinct u.job_id from units u where u.container_id = c.id and u.job_id is not null order by 1) as job_ids,
        coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'uid', u.uid, 'job_id', u.job_id) order by u.id)
            from units u where u.container_id = c.id), '[]') as units, ",
        proofs!("container_proofs", "container_id", "c.id"),
        ", c.created, c.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::text("uid", "c.uid"),
            Filter::id("container_id", "c.id"),
            Filter::among(
                "job_id",
                "exists (select from units fu where fu.container_id = c.id and fu.job_id = any({}))",
            ),
        ],
        search: &["c.uid"],
        sort: &[("id", "c.id"), ("uid", "lower(c.uid)"), ("created", "c.created")],
        order: "c.id desc",
    };
    type Fields = ContainerFields;

    fn prepare(given: &mut Given<ContainerFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        items::check_fields(&mut given.fields, given.value.extra_fields.as_ref(), new, &mut problems);
        problems.finish()
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        // A haulier's people see the containers of the jobs of their own runs.
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!(
                "exists (select from units hu join jobs hj on hj.id = hu.job_id join runs hr on hr.id = hj.run_id
                     left join drivers hd on hd.id = hr.driver_id left join vehicles hv on hv.id = hr.vehicle_id
                 where hu.container_id = c.id and (hd.haulier_id = {place} or hv.haulier_id = {place}))"
            ));
        }
    }
}
