//! The statements of an import: each takes all rows at once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use routewright_core::place::Location;
use routewright_core::{Jsonb, Result};
use routewright_tenancy::Db;
use serde_json::{Map, Value};

use super::look_up::{self, Spot};
use super::read::Row;
use crate::orders::jobs;

/// A client as far as rows take from it.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Client {
    pub id: i64,
    pub uid: String,
    pub name: String,
    pub location: Option<Jsonb<Location>>,
    pub arrive_after: Option<String>,
    pub leave_by: Option<String>,
    pub spec_type: Option<String>,
    pub delivery_instructions: Option<String>,
    pub customer_email: Option<String>,
    pub phone_number: Option<String>,
    pub dock_location: Option<String>,
    pub external_comments: Option<String>,
    pub consignee_info: Option<String>,
    pub colour: Option<String>,
    pub extra_fields: Jsonb<BTreeMap<String, String>>,
}

/// Holds the pool against other imports until the transaction ends. The pool has no row that could be held, as a scenario
/// has.
pub(super) async fn lock_pool(db: &mut Db) -> Result<()> {
    // A mode that holds only against itself, on a table that is small; advisory locks would be shared by all organisations.
    sqlx::query("lock table import_mappings in share update exclusive mode").execute(&mut **db).await?;
    Ok(())
}

/// The clients that rows name, by uid.
pub(super) async fn clients(db: &mut Db, rows: &[Row]) -> Result<HashMap<String, Client>> {
    let uids: HashSet<&String> = rows.iter().filter_map(|row| row.client_uid.as_ref()).collect();
    if uids.is_empty() {
        return Ok(HashMap::new());
    }
    let clients: Vec<Client> = sqlx::query_as(
        "select id, uid, name, case when lat is null then null else
             jsonb_build_object('id', location_id, 'address', address, 'lat', lat, 'lon', lon) end as location,
             to_char(arrive_after, 'HH24:MI') as arrive_after, to_char(leave_by, 'HH24:MI') as leave_by, spec_type,
             delivery_instructions, customer_email, phone_number, dock_location, external_comments, consignee_info, colour,
             extra_fields
         from clients where uid = any($1)",
    )
    .bind(uids.into_iter().collect::<Vec<_>>())
    .fetch_all(&mut **db)
    .await?;
    Ok(clients.into_iter().map(|client| (client.uid.clone(), client)).collect())
}

/// Coordinates of addresses that the organisation knows or that were found before, by address in lower case.
pub(super) async fn known_places(db: &mut Db, addresses: &BTreeSet<String>) -> Result<HashMap<String, Spot>> {
    let wanted: Vec<String> = addresses.iter().map(|address| address.to_lowercase()).collect();
    let found = look_up::before(db, &wanted).await?;
    // What the organisation says itself comes last: it stands, and what somebody confirmed above all.
    let own: Vec<(String, f64, f64)> = sqlx::query_as(
        "select address, lat, lon from (
             select lower(address) as address, lat, lon, 1 as rank from locations where lower(address) = any($1)
             union all
             select lower(address), lat, lon, 2 from clients where lower(address) = any($1) and lat is not null
             union all
             select address, lat, lon, 3 from confirmed_addresses where address = any($1) and client_id is null
         ) own
         order by rank",
    )
    .bind(wanted)
    .fetch_all(&mut **db)
    .await?;
    let own = own.into_iter().map(|(address, lat, lon)| (address, Spot { lat, lon, sure: true }));
    Ok(found.into_iter().chain(own).collect())
}

/// Places that somebody confirmed for a client's address, by client and address in lower case.
pub(super) async fn confirmed(
    db: &mut Db,
    addresses: &BTreeSet<String>,
) -> Result<HashMap<(i64, String), Spot>> {
    let wanted: Vec<String> = addresses.iter().map(|address| address.to_lowercase()).collect();
    let rows: Vec<(i64, String, f64, f64)> = sqlx::query_as(
        "select client_id, address, lat, lon from confirmed_addresses
         where address = any($1) and client_id is not null",
    )
    .bind(wanted)
    .fetch_all(&mut **db)
    .await?;
    let spot = |(client, address, lat, lon)| ((client, address), Spot { lat, lon, sure: true });
    Ok(rows.into_iter().map(spot).collect())
}

/// Uids and addresses in lower case of the jobs that rows mean.
pub(super) async fn addresses(
    db: &mut Db,
    scenario: Option<i64>,
    rows: &[Row],
) -> Result<HashSet<(String, String)>> {
    let uids: Vec<String> = rows.iter().filter_map(|row| row.fields.uid.clone()).collect();
    let jobs: Vec<(String, String)> = sqlx::query_as(
        "select distinct on (uid) uid, address from jobs
         where scenario_id is not distinct from $1 and uid = any($2) order by uid, id",
    )
    .bind(scenario)
    .bind(uids)
    .fetch_all(&mut **db)
    .await?;
    Ok(jobs.into_iter().map(|(uid, address)| (uid, address.to_lowercase())).collect())
}

/// A job that the scenario has already.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Existing {
    pub id: i64,
    pub uid: String,
    pub pickup_from: Option<String>,
    pub deliver_to: Option<String>,
    pub extra_fields: Jsonb<BTreeMap<String, String>>,
    /// Its run when that is validated: what was billed stays as it was.
    pub validated_run: Option<String>,
    /// Whether the caller may change it.
    pub visible: bool,
}

/// Jobs of the scenario that rows name, be it as themselves or in links, the oldest of a uid first.
pub(super) async fn existing(db: &mut Db, scenario: Option<i64>, rows: &[Row]) -> Result<Vec<Existing>> {
    let mut uids: HashSet<String> = rows.iter().filter_map(|row| row.fields.uid.clone()).collect();
    for row in rows {
        for list in [&row.fields.pickup_from, &row.fields.deliver_to] {
            uids.extend(jobs::links::uids(list.as_deref()));
        }
    }
    let haulier = db.caller().haulier_id();
    let existing = sqlx::query_as(
        "select j.id, j.uid, j.pickup_from, j.deliver_to, j.extra_fields,
             case when r.validated_at is not null then r.uid end as validated_run,
             ($3::bigint is null or coalesce($3 in (d.haulier_id, v.haulier_id), false)) as visible
         from jobs j left join runs r on r.id = j.run_id left join drivers d on d.id = r.driver_id
             left join vehicles v on v.id = r.vehicle_id
         where j.scenario_id is not distinct from $1
             and (j.uid = any($2) or j.pickup_from is not null or j.deliver_to is not null)
         order by j.id",
    )
    .bind(scenario)
    .bind(uids.into_iter().collect::<Vec<_>>())
    .bind(haulier)
    .fetch_all(&mut **db)
    .await?;
    Ok(existing)
}

/// A row that differs from its job.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Difference {
    number: i64,
    /// When the job could be visited from then on.
    pub arrive_after: Option<String>,
    /// Until when.
    pub leave_by: Option<String>,
}

impl Difference {
    /// Number of the row.
    pub(super) fn row(&self) -> usize {
        usize::try_from(self.number).unwrap_or_default()
    }
}

/// Which of these rows (number, job, columns) differ from their jobs.
pub(super) async fn differences<'a>(
    db: &mut Db,
    rows: impl Iterator<Item = (usize, i64, &'a Map<String, Value>)>,
) -> Result<Vec<Difference>> {
    let (mut numbers, mut ids, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for (number, id, given) in rows {
        numbers.push(i64::try_from(number).unwrap_or_default());
        ids.push(id);
        columns.push(Value::Object(given.clone()));
    }
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let differences = sqlx::query_as(
        "select p.number, to_char(n.arrive_after, 'HH24:MI') as arrive_after, to_char(n.leave_by, 'HH24:MI') as leave_by
         from unnest($1::bigint[], $2::bigint[], $3::jsonb[]) as p (number, id, given) join jobs o on o.id = p.id
             cross join lateral jsonb_populate_record(o, p.given) as n
         where n is distinct from o",
    )
    .bind(numbers)
    .bind(ids)
    .bind(columns)
    .fetch_all(&mut **db)
    .await?;
    Ok(differences)
}

/// Gives jobs their new columns; what is not given stays.
pub(super) async fn update_jobs(db: &mut Db, changed: &BTreeMap<i64, Map<String, Value>>) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = changed.keys().copied().collect();
    let columns: Vec<Value> = changed.values().cloned().map(Value::Object).collect();
    sqlx::query(
        "update jobs set location_id = n.location_id, address = n.address, lat = n.lat, lon = n.lon, client_id = n.client_id,
             customer_name = n.customer_name, customer_email = n.customer_email, phone_number = n.phone_number,
             duration = n.duration, arrive_after = n.arrive_after, leave_by = n.leave_by, size = n.size,
             spec_type = n.spec_type, priority = n.priority, colour = n.colour, comments = n.comments,
             consignee_info = n.consignee_info, consignor_info = n.consignor_info, external_comments = n.external_comments,
             dock_location = n.dock_location, invoice = n.invoice, reference = n.reference, pickup_from = n.pickup_from,
             deliver_to = n.deliver_to, extra_fields = n.extra_fields
         from unnest($1::bigint[], $2::jsonb[]) as p (id, given) join jobs o on o.id = p.id
             cross join lateral jsonb_populate_record(o, p.given) as n
         where jobs.id = p.id",
    )
    .bind(ids)
    .bind(columns)
    .execute(&mut **db)
    .await?;
    Ok(())
}

/// Inserts jobs given by their columns; `seq` only carries the order of the file. Answers their ids in that order.
pub(super) async fn insert_jobs(db: &mut Db, records: Vec<Value>) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar(
        "insert into jobs (uid, scenario_id, tracking_token, timezone, location_id, address, lat, lon, client_id,
             customer_name, customer_email, phone_number, duration, arrive_after, leave_by, size, spec_type, priority, colour,
             comments, consignee_info, consignor_info, external_comments, dock_location, invoice, reference, pickup_from,
             deliver_to, extra_fields)
         select uid, scenario_id, tracking_token, timezone, location_id, address, lat, lon, client_id,
             customer_name, customer_email, phone_number, duration, arrive_after, leave_by, size, spec_type, priority, colour,
             comments, consignee_info, consignor_info, external_comments, dock_location, invoice, reference, pickup_from,
             deliver_to, extra_fields
         from jsonb_populate_recordset(null::jobs, $1) order by seq
         returning id",
    )
    .bind(Value::Array(records))
    .fetch_all(&mut **db)
    .await?;
    Ok(ids)
}

/// What hangs on a job and can come with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Unit,
    Return,
}

impl Kind {
    /// Both.
    pub(super) const ALL: [Self; 2] = [Self::Unit, Self::Return];

    /// Prefix of its columns in a file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Return => "return",
        }
    }
}

/// A unit or return that is there, by the names of its columns.
type Stored = BTreeMap<String, Option<String>>;

/// Units and returns that jobs have already, by kind, job and uid.
#[derive(Debug, Default)]
pub(super) struct Items(HashMap<(Kind, i64, String), Stored>);

impl Items {
    /// Whether a job lacks an item, or has it with other values.
    pub(super) fn differs(&self, kind: Kind, job: i64, given: &BTreeMap<String, String>) -> bool {
        let uid = given.get("uid").cloned().unwrap_or_default();
        self.0.get(&(kind, job, uid)).is_none_or(|stored| {
            given
                .iter()
                .filter(|(name, _)| *name != "uid")
                .any(|(name, value)| stored.get(name).and_then(Option::as_ref) != Some(value))
        })
    }

    fn has(&self, kind: Kind, job: i64, uid: &str) -> bool {
        self.0.contains_key(&(kind, job, uid.to_owned()))
    }
}

/// A unit as far as files fill it.
#[derive(sqlx::FromRow)]
struct StoredUnit {
    job_id: i64,
    uid: String,
    name: Option<String>,
    invoice: Option<String>,
    reference: Option<String>,
}

/// Reads the units and returns of jobs.
pub(super) async fn items(db: &mut Db, jobs: &[i64]) -> Result<Items> {
    let mut items = Items::default();
    if jobs.is_empty() {
        return Ok(items);
    }
    let units: Vec<StoredUnit> = sqlx::query_as(
        "select job_id, uid, name, invoice, reference from units where job_id = any($1) order by id desc",
    )
    .bind(jobs)
    .fetch_all(&mut **db)
    .await?;
    for unit in units {
        let values = [("name", unit.name), ("invoice", unit.invoice), ("reference", unit.reference)];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into();
        items.0.insert((Kind::Unit, unit.job_id, unit.uid), values);
    }
    let returns: Vec<(i64, String, Option<String>)> =
        sqlx::query_as("select job_id, uid, comments from returns where job_id = any($1) order by id desc")
            .bind(jobs)
            .fetch_all(&mut **db)
            .await?;
    for (job, uid, comments) in returns {
        items.0.insert((Kind::Return, job, uid), [("comments".to_owned(), comments)].into());
    }
    Ok(items)
}

/// Items of one kind as columns of arrays.
#[derive(Default)]
struct Table {
    jobs: Vec<i64>,
    uids: Vec<String>,
    /// `name` of a unit, `comments` of a return.
    texts: Vec<Option<String>>,
    invoices: Vec<Option<String>>,
    references: Vec<Option<String>>,
}

impl Table {
    fn push(&mut self, kind: Kind, job: i64, values: &BTreeMap<String, String>) {
        self.jobs.push(job);
        self.uids.push(values.get("uid").cloned().unwrap_or_default());
        self.texts.push(values.get(if kind == Kind::Unit { "name" } else { "comments" }).cloned());
        self.invoices.push(values.get("invoice").cloned());
        self.references.push(values.get("reference").cloned());
    }
}

/// Adds the units or returns that jobs lack and changes those that differ, matched by uid within the job. Answers the jobs.
pub(super) async fn write_items(
    db: &mut Db,
    kind: Kind,
    stored: &Items,
    rows: &[Row],
    ids: &HashMap<usize, i64>,
) -> Result<Vec<i64>> {
    let (mut new, mut changed) = (Table::default(), Table::default());
    for row in rows {
        let Some(job) = ids.get(&row.number).copied() else { continue };
        for item in row.items(kind).iter().filter(|item| stored.differs(kind, job, &item.values)) {
            let table = if stored.has(kind, job, &item.uid()) { &mut changed } else { &mut new };
            table.push(kind, job, &item.values);
        }
    }
    let jobs = [new.jobs.clone(), changed.jobs.clone()].concat();
    let (insert, update) = match kind {
        Kind::Unit => (
            "insert into units (job_id, uid, name, invoice, reference)
             select job_id, uid, text, invoice, reference
             from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
                 as n (job_id, uid, text, invoice, reference, place) order by place",
            "update units set name = coalesce(n.text, units.name), invoice = coalesce(n.invoice, units.invoice),
                 reference = coalesce(n.reference, units.reference)
             from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
                 as n (job_id, uid, text, invoice, reference)
             where units.job_id = n.job_id and units.uid = n.uid",
        ),
        Kind::Return => (
            "insert into returns (job_id, uid, comments)
             select job_id, uid, text
             from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
                 as n (job_id, uid, text, invoice, reference, place) order by place",
            "update returns set comments = coalesce(n.text, returns.comments)
             from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
                 as n (job_id, uid, text, invoice, reference)
             where returns.job_id = n.job_id and returns.uid = n.uid",
        ),
    };
    for (statement, table) in [(insert, new), (update, changed)] {
        if table.jobs.is_empty() {
            continue;
        }
        sqlx::query(statement)
            .bind(table.jobs)
            .bind(table.uids)
            .bind(table.texts)
            .bind(table.invoices)
            .bind(table.references)
            .execute(&mut **db)
            .await?;
    }
    Ok(jobs)
}
