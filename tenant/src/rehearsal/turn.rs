//! One turn of a rehearsal: what is due by the simulated time is done, and drivers who have nothing left to do go on.

use std::collections::HashMap;

use chrono::{DateTime, Duration, Utc};
use routewright_core::transaction::watched;
use routewright_core::{Error, Jsonb, Result};
use routewright_identity::policy::Rehearsal;
use routewright_tenancy::db::Tenant;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::chance::{self, Chance};
use super::picture;
use super::public_api::{PublicApi, Refused};
use super::script::{Act, Deed, Driver, Here, Town, Traits};
use super::sheet::{Next, Sheet};
use super::still_hold;

/// Acts of one turn.
const MOST: i64 = 400;
/// A run that is sent late is left for so long after it was sent.
const READS: Duration = Duration::minutes(8);

/// What this process knows of the drivers' phones: nothing that it could not ask for again.
#[derive(Debug, Default)]
pub(super) struct Company {
    phones: HashMap<i64, Phone>,
}

/// A driver's phone.
#[derive(Debug, Default, Clone)]
struct Phone {
    /// The run sheet token.
    token: Option<String>,
    /// Number of the changes that the driver has been told of.
    told: Option<i64>,
}

/// Where a driver is in his day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct State {
    traits: Traits,
    phase: Phase,
    here: Option<Here>,
    /// Legs so far.
    legs: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// Does not come.
    Absent,
    /// Is on the road.
    Driving,
    /// Has ended the route, or is about to.
    Home,
}

#[derive(Debug, FromRow)]
struct Run {
    id: i64,
    token: String,
    driver: String,
    planned_start_time: Option<DateTime<Utc>>,
    dispatched_at: Option<DateTime<Utc>>,
    lat: Option<f64>,
    lon: Option<f64>,
    state: Option<Jsonb<State>>,
    /// Whether there is something left to do.
    busy: bool,
}

#[derive(Debug, FromRow)]
struct Due {
    id: i64,
    key: Uuid,
    run_id: i64,
    happened_at: DateTime<Utc>,
    deed: Jsonb<Deed>,
    files: Option<Jsonb<Files>>,
}

/// Pictures of a stop that are uploaded already.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Files {
    photo: Option<i64>,
    signature: Option<i64>,
}

/// Does what is due at a simulated moment; answers whether there was something.
///
/// # Errors
/// Faults of the database, and what another process did meanwhile.
pub(super) async fn take(
    api: &PublicApi,
    tenant: &Tenant,
    rehearsal: &Rehearsal,
    name: &str,
    now: DateTime<Utc>,
    company: &mut Company,
) -> Result<bool> {
    let mut work = tenant.begin().await?;
    let due = due(&mut work, now).await?;
    let runs = runs(&mut work).await?;
    work.commit().await?;
    let links: HashMap<i64, &str> = runs.iter().map(|run| (run.id, run.token.as_str())).collect();

    let some = !due.is_empty();
    let mut by_run: HashMap<i64, Vec<Due>> = HashMap::new();
    for act in due {
        by_run.entry(act.run_id).or_default().push(act);
    }
    // Each driver acts on his own: a phone that waits keeps no other waiting, and no transaction is open beside another.
    let mut hands = JoinSet::new();
    for (run, acts) in by_run {
        let phone = company.phones.remove(&run).unwrap_or_default();
        let link = links.get(&run).copied().unwrap_or_default().to_owned();
        let hand = Hand { api: api.clone(), tenant: tenant.clone(), seed: rehearsal.seed, link };
        hands.spawn(watched(
            "a simulated driver",
            async move { (run, hand.carry_out_all(acts, phone).await) },
        ));
    }
    while let Some(done) = hands.join_next().await {
        match done {
            Ok((run, phone)) => drop(company.phones.insert(run, phone)),
            Err(error) => tracing::error!(%error, "a simulated driver broke down"),
        }
    }

    let town = Town::of(rehearsal.seed, rehearsal.begins);
    let mut went_on = false;
    for run in runs.into_iter().filter(|run| !run.busy) {
        let going = Going { api, tenant, rehearsal, name, now, town: &town };
        match going.go_on(&run, company).await {
            Ok(moved) => went_on |= moved,
            Err(error) => tracing::info!(run = run.id, %error, "a simulated driver does not get on"),
        }
    }
    Ok(some || went_on)
}

async fn due(connection: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<Due>> {
    Ok(sqlx::query_as(
        "select id, key, run_id, happened_at, deed, files from rehearsal_acts
         where done_at is null and sent_at <= $1 order by sent_at, id limit $2",
    )
    .bind(now)
    .bind(MOST)
    .fetch_all(connection)
    .await?)
}

/// The dispatched runs of the rehearsed day.
async fn runs(connection: &mut PgConnection) -> Result<Vec<Run>> {
    Ok(sqlx::query_as(
        "select r.id, r.token, d.uid as driver, r.planned_start_time, r.dispatched_at, r.start_lat as lat,
             r.start_lon as lon, s.state,
             exists (select from rehearsal_acts a where a.run_id = r.id and a.done_at is null) as busy
         from rehearsal h join scenarios c on c.id = h.scenario_id join runs r on r.scenario_id = c.id
             join drivers d on d.id = r.driver_id left join rehearsal_drivers s on s.run_id = r.id
         where r.dispatched order by r.id",
    )
    .fetch_all(connection)
    .await?)
}

/// A driver's hand on the phone.
struct Hand {
    api: PublicApi,
    tenant: Tenant,
    seed: i64,
    /// The dispatched link.
    link: String,
}

impl Hand {
    /// Does one thing after the other, as far as it gets; answers the phone as it is then.
    async fn carry_out_all(&self, acts: Vec<Due>, mut phone: Phone) -> Phone {
        for act in acts {
            if let Err(error) = self.carry_out(&act, &mut phone).await {
                tracing::info!(run = act.run_id, %error, "a simulated driver tries again");
                break;
            }
        }
        phone
    }

    /// Does one thing, once. What the API refuses for good is noted and stays undone.
    async fn carry_out(&self, due: &Due, phone: &mut Phone) -> Result<(), Error> {
        let answer = match self.act(due, phone).await {
            Ok(()) => None,
            Err(Refused::ForGood(reason)) => Some(reason),
            Err(Refused::Token) => {
                phone.token = None;
                return Err(Refused::Token.into());
            }
            Err(other) => return Err(other.into()),
        };
        if let Some(reason) = &answer {
            tracing::info!(run = due.run_id, reason, "a simulated driver was refused");
        }
        let mut work = self.tenant.begin().await?;
        sqlx::query("update rehearsal_acts set done_at = now(), answer = $2 where id = $1")
            .bind(due.id)
            .bind(answer)
            .execute(&mut *work)
            .await?;
        work.commit().await
    }

    async fn act(&self, due: &Due, phone: &mut Phone) -> Result<(), Refused> {
        let token = match &phone.token {
            Some(token) => token.clone(),
            None => match self.api.sheet_token(&self.link).await {
                // The run is gone, and its sheet with it.
                Err(Refused::Token) => {
                    return Err(Refused::ForGood("the link is no good any more".to_owned()));
                }
                token => phone.token.insert(token?).clone(),
            },
        };
        match &due.deed.0 {
            Deed::Contact => {
                let body = json!({ "waiting": 0, "confirmed": phone.told });
                let answer = self.api.post(&token, "/v2/runsheet/contact", &body).await?;
                phone.told = answer["changes"]["number"].as_i64();
            }
            Deed::Positions { positions } => {
                let points: Vec<Value> = positions
                    .iter()
                    .map(|at| {
                        json!({ "lat": at.lat, "lon": at.lon, "speed": at.speed, "accuracy": 8.0, "recorded_at": at.at })
                    })
                    .collect();
                self.api.post(&token, "/v2/runsheet/gps_points", &points.into()).await?;
            }
            deed => {
                let record = self.record(due, deed, &token).await?;
                self.api.post(&token, "/v2/runsheet/records", &record).await?;
            }
        }
        Ok(())
    }

    /// A record as the phone sends it. When it is sent is left out: simulated time runs while it is on its way.
    async fn record(&self, due: &Due, deed: &Deed, token: &str) -> Result<Value, Refused> {
        let mut record = json!({ "id": due.key, "captured_at": due.happened_at });
        match deed {
            Deed::Start { odometer, lat, lon } | Deed::End { odometer, lat, lon } => {
                record["kind"] = if matches!(deed, Deed::Start { .. }) { "start" } else { "end" }.into();
                record["route"] = json!({ "odometer": odometer, "lat": lat, "lon": lon });
            }
            Deed::Note { job_id, text } => {
                record["kind"] = "note".into();
                record["job_id"] = (*job_id).into();
                record["note"] = text.as_str().into();
            }
            Deed::Stop { job_id, job_uid, success, reason_id, signed_by, photo, lat, lon, .. } => {
                let files = self.files(due, *photo, signed_by.is_some(), token).await?;
                record["kind"] = "stop".into();
                record["job_id"] = (*job_id).into();
                record["job_uid"] = job_uid.as_str().into();
                record["job_proof"] = json!({
                    "success": success, "reason_id": reason_id, "lat": lat, "lon": lon,
                    "photo_ids": files.photo.into_iter().collect::<Vec<i64>>(),
                    "signature_id": files.signature, "signature_name": signed_by,
                    "device": "Simulated phone",
                });
            }
            Deed::Contact | Deed::Positions { .. } => {}
        }
        Ok(record)
    }

    /// The pictures of a stop. What is uploaded is noted first, so that a record that is sent again brings the same ones.
    async fn files(&self, due: &Due, photo: bool, signature: bool, token: &str) -> Result<Files, Refused> {
        if let Some(files) = &due.files {
            return Ok(files.0.clone());
        }
        let mut chance = Chance::of(self.seed, &["picture", &due.key.to_string()]);
        let mut files = Files::default();
        if let Some(bytes) = photo.then(|| picture::parcels(&mut chance)).flatten() {
            files.photo = Some(self.api.upload(token, ("photo.jpg", "image/jpeg"), &bytes).await?);
        }
        if let Some(bytes) = signature.then(|| picture::signature(&mut chance)).flatten() {
            files.signature = Some(self.api.upload(token, ("signature.png", "image/png"), &bytes).await?);
        }
        let noted = async {
            let mut work = self.tenant.begin().await?;
            sqlx::query("update rehearsal_acts set files = $2 where id = $1")
                .bind(due.id)
                .bind(serde_json::to_value(&files)?)
                .execute(&mut *work)
                .await?;
            work.commit().await
        };
        let noted: Result<()> = noted.await;
        noted.map_err(|error| Refused::ForNow(error.to_string()))?;
        Ok(files)
    }
}

/// Drivers who go on.
struct Going<'a> {
    api: &'a PublicApi,
    tenant: &'a Tenant,
    rehearsal: &'a Rehearsal,
    name: &'a str,
    now: DateTime<Utc>,
    town: &'a Town,
}

impl Going<'_> {
    /// What a driver does next; answers whether there is something.
    async fn go_on(&self, run: &Run, company: &mut Company) -> Result<bool> {
        let seed = self.rehearsal.seed;
        let Some(Jsonb(state)) = &run.state else { return self.begin(run).await };
        let (Phase::Driving, Some(here)) = (state.phase, state.here) else { return Ok(false) };
        let Some(sheet) = self.sheet(run, company).await? else { return Ok(false) };
        let driver = Driver { seed, name: &run.driver, traits: &state.traits, town: self.town };
        let (acts, here, phase) = match sheet.next(seed, &run.driver, here) {
            Next::Stop(stop) => {
                let (acts, here) = driver.leg(here, &stop);
                (acts, here, Phase::Driving)
            }
            Next::Home(way, drive) => {
                let (acts, here) = driver.home(here, &way, drive);
                (acts, here, Phase::Home)
            }
        };
        let next = State { traits: state.traits.clone(), phase, here: Some(here), legs: state.legs + 1 };
        self.keep(run, &next, &acts).await?;
        Ok(true)
    }

    /// The first of a driver: he comes and leaves, or he does not.
    async fn begin(&self, run: &Run) -> Result<bool> {
        let seed = self.rehearsal.seed;
        let Some(planned) = run.planned_start_time else { return Ok(false) };
        let traits = Traits::of(seed, &run.driver, self.rehearsal.begins);
        let (Some(lat), Some(lon)) = (run.lat, run.lon) else { return Ok(false) };
        let comes = traits.comes;
        let (mut acts, mut here) = (Vec::new(), None);
        if comes {
            // Nobody leaves before the sheet is read.
            let read = run.dispatched_at.map_or(self.now, |at| at.max(self.rehearsal.begins)) + READS;
            let driver = Driver { seed, name: &run.driver, traits: &traits, town: self.town };
            let (first, there) = driver.departure(planned.max(read), (lat, lon));
            (acts, here) = (first, Some(there));
        }
        let phase = if comes { Phase::Driving } else { Phase::Absent };
        self.keep(run, &State { traits, phase, here, legs: 0 }, &acts).await?;
        Ok(true)
    }

    /// The run sheet as it is now; none when it cannot be read.
    async fn sheet(&self, run: &Run, company: &mut Company) -> Result<Option<Sheet>> {
        let phone = company.phones.entry(run.id).or_default();
        let token = match &phone.token {
            Some(token) => token.clone(),
            None => phone.token.insert(self.api.sheet_token(&run.token).await?).clone(),
        };
        match self.api.get(&token, "/v2/runsheet").await {
            Ok(sheet) => Ok(Some(serde_json::from_value(sheet).map_err(Error::internal)?)),
            Err(Refused::Token) => {
                phone.token = None;
                Ok(None)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Keeps where a driver is and what he does, together.
    async fn keep(&self, run: &Run, state: &State, acts: &[Act]) -> Result<()> {
        let seed = self.rehearsal.seed;
        let mut work = self.tenant.begin().await?;
        still_hold(&mut work, self.name).await?;
        sqlx::query(
            "insert into rehearsal_drivers (run_id, state) values ($1, $2)
             on conflict (run_id) do update set state = excluded.state",
        )
        .bind(run.id)
        .bind(serde_json::to_value(state)?)
        .execute(&mut *work)
        .await?;
        let keys: Vec<Uuid> = (0..acts.len())
            .map(|at| chance::id(seed, &[&run.token, &state.legs.to_string(), &at.to_string()]))
            .collect();
        let deeds =
            acts.iter().map(|act| Ok(serde_json::to_value(&act.deed)?)).collect::<Result<Vec<Value>>>()?;
        sqlx::query(
            "insert into rehearsal_acts (key, run_id, happened_at, sent_at, deed)
             select given.key, $2, given.happened_at, given.sent_at, given.deed
             from unnest($1::uuid[], $3::timestamptz[], $4::timestamptz[], $5::jsonb[]) with ordinality
                 as given (key, happened_at, sent_at, deed, number)
             order by given.number
             on conflict (key) do nothing",
        )
        .bind(&keys)
        .bind(run.id)
        .bind(acts.iter().map(|act| act.happened).collect::<Vec<_>>())
        .bind(acts.iter().map(|act| act.sent).collect::<Vec<_>>())
        .bind(deeds)
        .execute(&mut *work)
        .await?;
        work.commit().await
    }
}
