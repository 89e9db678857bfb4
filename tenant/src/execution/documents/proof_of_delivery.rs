//! Reading what stands on a proof of delivery.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use routewright_core::{Error, Kind, Module, Result};
use routewright_documents::proof::{Check, ItemKind, ItemProof, ProofOfDelivery, ProofRecord};
use routewright_identity::Caller;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::letterhead::local;
use crate::app::App;
use crate::execution::seals::{self, Printed};
use crate::setup::files;

#[derive(FromRow)]
struct JobRow {
    uid: String,
    scenario: Option<String>,
    scheduled_date: Option<NaiveDate>,
    run: Option<String>,
    driver: Option<String>,
    vehicle: Option<String>,
    customer_name: Option<String>,
    address: String,
    phone_number: Option<String>,
    invoice: Option<String>,
    reference: Option<String>,
    size: Option<String>,
    eta: Option<DateTime<Utc>>,
    arrive_after: Option<NaiveTime>,
    leave_by: Option<NaiveTime>,
}

#[derive(FromRow)]
struct ProofRow {
    record_time: DateTime<Utc>,
    success: bool,
    reason: Option<String>,
    comments: Option<String>,
    lat: Option<f64>,
    lon: Option<f64>,
    signature_id: Option<i64>,
    signature_name: Option<String>,
    photo_ids: Vec<i64>,
    distance: Option<i32>,
    device: Option<String>,
    pin_ok: Option<bool>,
    age_check: Option<bool>,
    delivered_size: Option<String>,
}

#[derive(FromRow)]
struct ItemRow {
    is_return: bool,
    uid: String,
    name: Option<String>,
    mode: Option<String>,
    record_time: Option<DateTime<Utc>>,
    success: Option<bool>,
    reason: Option<String>,
    comments: Option<String>,
}

/// A proof of delivery whose pictures are still in the storage.
#[derive(Debug)]
pub(super) struct Recorded {
    proof: ProofOfDelivery,
    /// Of each record, in the same order.
    pictures: Vec<Pictures>,
}

/// Storage keys; empty where a file is gone.
#[derive(Debug)]
struct Pictures {
    signature: Option<String>,
    photos: Vec<String>,
}

/// The proof of delivery of a job.
///
/// # Errors
/// 404 for a job without proof.
pub(super) async fn recorded(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    job: i64,
) -> Result<Recorded> {
    let row: JobRow = sqlx::query_as(
        "select j.uid, s.name as scenario, s.scheduled_date, r.uid as run, d.uid as driver, v.uid as vehicle,
             j.customer_name, j.address, j.phone_number, j.invoice, j.reference, j.size, j.eta, j.arrive_after, j.leave_by
         from jobs j left join scenarios s on s.id = j.scenario_id left join runs r on r.id = j.run_id
             left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
         where j.id = $1",
    )
    .bind(job)
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(|| Error::not_found("Job"))?;
    let rows: Vec<ProofRow> = sqlx::query_as(
        "select p.record_time, p.success, n.name as reason, p.comments, p.lat, p.lon, p.signature_id, p.signature_name,
             p.photo_ids, p.distance, p.device, p.pin_ok, p.age_check, p.delivered_size
         from job_proofs p left join reasons n on n.id = p.reason_id
         where p.job_id = $1 order by p.record_time desc, p.id desc",
    )
    .bind(job)
    .fetch_all(&mut *connection)
    .await?;
    let items = items(connection, caller, job).await?;
    if rows.is_empty() && items.iter().all(|item| item.recorded_at.is_none()) {
        return Err(Error::new(Kind::NotFound, format!("Job {} does not have any proof", row.uid)));
    }
    let ids: Vec<i64> =
        rows.iter().flat_map(|row| row.photo_ids.iter().copied().chain(row.signature_id)).collect();
    let keys = files::several(connection, &ids).await?;
    let key = |id: &i64| keys.get(id).cloned().unwrap_or_default();
    let pictures = rows
        .iter()
        .map(|row| Pictures {
            signature: row.signature_id.as_ref().map(key),
            photos: row.photo_ids.iter().map(key).collect(),
        })
        .collect();
    let proofs = rows.into_iter().map(|row| record(caller, row)).collect::<Result<_>>()?;
    let Printed { link, seal } = seals::printed(connection, app, caller, job).await?;
    let proof = ProofOfDelivery {
        job: row.uid,
        scenario: row.scenario,
        date: row.scheduled_date,
        run: row.run,
        driver: row.driver,
        vehicle: row.vehicle,
        customer: row.customer_name.unwrap_or_default(),
        address: row.address,
        phone: row.phone_number,
        invoice: row.invoice,
        reference: row.reference,
        size: row.size,
        planned_eta: row.eta.map(|eta| local(caller, eta)).transpose()?,
        arrive_after: row.arrive_after,
        leave_by: row.leave_by,
        proofs,
        items,
        check: Some(Check { link, seal }),
    };
    Ok(Recorded { proof, pictures })
}

impl Recorded {
    /// Code of the job.
    pub(super) fn job(&self) -> &str {
        &self.proof.job
    }

    /// Fetches the pictures; no transaction may be open meanwhile.
    ///
    /// # Errors
    /// 503 when they cannot be read from the storage.
    pub(super) async fn load(mut self, app: &App, caller: &Caller) -> Result<ProofOfDelivery> {
        for (record, keys) in self.proof.proofs.iter_mut().zip(self.pictures) {
            record.signature = match keys.signature {
                Some(key) => {
                    files::reduced(app, caller, &key, files::SIGNATURE).await?.map(|bytes| bytes.to_vec())
                }
                None => None,
            };
            // A photo that is gone still has its place, so that nobody takes the proof for one with fewer photos.
            record.photos = stream::iter(keys.photos)
                .map(|key| async move {
                    files::reduced(app, caller, &key, files::PHOTO)
                        .await
                        .map(|bytes| bytes.unwrap_or_default().to_vec())
                })
                .buffered(4)
                .try_collect()
                .await?;
        }
        Ok(self.proof)
    }
}

fn record(caller: &Caller, row: ProofRow) -> Result<ProofRecord> {
    Ok(ProofRecord {
        recorded_at: local(caller, row.record_time)?,
        success: row.success,
        reason: row.reason,
        comments: row.comments,
        position: row.lat.zip(row.lon),
        distance: row.distance,
        device: row.device,
        pin_ok: row.pin_ok,
        age_check: row.age_check,
        delivered_size: row.delivered_size,
        signature: None,
        signature_name: row.signature_name,
        photos: Vec::new(),
    })
}

/// Units and returns with their latest proof, where the organisation has them.
async fn items(connection: &mut PgConnection, caller: &Caller, job: i64) -> Result<Vec<ItemProof>> {
    let rows: Vec<ItemRow> = sqlx::query_as(
        "select items.is_return, items.uid, items.name, items.mode, items.record_time, items.success, n.name as reason,
             items.comments
         from (
             select false as is_return, u.id, u.uid, u.name, p.mode, p.record_time, p.success, p.reason_id, p.comments
             from units u left join lateral (
                 select p.mode, p.record_time, p.success, p.reason_id, p.comments from unit_proofs p
                 where p.unit_id = u.id order by p.record_time desc, p.id desc limit 1) p on true
             where u.job_id = $1
             union all
             select true, t.id, t.uid, null, p.mode, p.record_time, p.success, p.reason_id, p.comments
             from returns t left join lateral (
                 select p.mode, p.record_time, p.success, p.reason_id, p.comments from return_proofs p
                 where p.return_id = t.id order by p.record_time desc, p.id desc limit 1) p on true
             where t.job_id = $1
         ) items left join reasons n on n.id = items.reason_id
         order by items.is_return, items.id",
    )
    .bind(job)
    .fetch_all(connection)
    .await?;
    let shown = rows
        .into_iter()
        .filter(|row| caller.has(if row.is_return { Module::Returns } else { Module::Units }));
    shown
        .map(|row| {
            Ok(ItemProof {
                kind: if row.is_return { ItemKind::Return } else { ItemKind::Unit },
                uid: row.uid,
                name: row.name,
                mode: row.mode,
                recorded_at: row.record_time.map(|at| local(caller, at)).transpose()?,
                success: row.success,
                reason: row.reason,
                comments: row.comments,
            })
        })
        .collect()
}
