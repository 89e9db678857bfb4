//! What a new run takes over: the driver's planning defaults, overlaid by the variant that holds on the day, completed by
//! the vehicle.

use chrono::{NaiveDate, NaiveTime};
use routewright_core::{Error, Result};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::fleet::vehicles::OnRoad;
use crate::plan::PlanRun;
use crate::setup::settings::Settings;

/// Colours of runs whose driver has none, in turn.
const PALETTE: [&str; 11] = [
    "#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#9a6324", "#800000", "#808000",
    "#000075", "#f032e6",
];

/// A run as its driver would have it. The columns are those of `runs`.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct Defaults {
    pub(crate) driver_id: i64,
    pub(crate) config_id: Option<i64>,
    uid: String,
    driver_user_id: Option<i64>,
    vehicle_id: Option<i64>,
    start_location_id: Option<i64>,
    start_address: Option<String>,
    start_lat: Option<f64>,
    start_lon: Option<f64>,
    end_location_id: Option<i64>,
    end_address: Option<String>,
    end_lat: Option<f64>,
    end_lon: Option<f64>,
    route_end: String,
    preferred_method: Option<String>,
    route_colour: Option<String>,
    capacity: String,
    pub(crate) alternatives_group: Option<String>,
    spec_type: Option<String>,
    shift_start: NaiveTime,
    shift_end: NaiveTime,
    lunch_time: Option<NaiveTime>,
    lunch_latest_start: Option<NaiveTime>,
    lunch_duration: f64,
    speed_multiplier: Option<f64>,
    device_id: Option<String>,
    territory_ids: Vec<i64>,
    litres_per_100_km: Option<f64>,
    co2_per_litre: Option<f64>,
    #[sqlx(flatten)]
    on_road: OnRoad,
}

impl Defaults {
    /// The run as planning sees it, before it exists; `id` is a stand-in.
    pub(crate) fn as_plan_run(&self, id: i64, settings: &Settings) -> PlanRun {
        PlanRun {
            id,
            uid: self.uid.clone(),
            driver_id: self.driver_id,
            route_end: self.route_end.clone(),
            start_lat: self.start_lat,
            start_lon: self.start_lon,
            end_lat: self.end_lat,
            end_lon: self.end_lon,
            shift_start: self.shift_start,
            shift_end: self.shift_end,
            lunch_time: self.lunch_time,
            lunch_latest_start: self.lunch_latest_start,
            lunch_duration: self.lunch_duration,
            capacity: self.capacity.clone(),
            spec_type: self.spec_type.clone(),
            speed_multiplier: self.speed(settings),
            alternatives_group: self.alternatives_group.clone(),
            territory_ids: self.territory_ids.clone(),
            planned_start_time: None,
            departure_fixed: false,
            actual_start_time: None,
            actual_end_time: None,
            has_start_odometer: false,
            has_end_odometer: false,
            dispatched: false,
            validated_at: None,
            has_proofs: false,
            litres_per_100_km: self.litres_per_100_km,
            co2_per_litre: self.co2_per_litre,
            on_road: self.on_road.clone(),
            hour: None,
        }
    }

    fn speed(&self, settings: &Settings) -> f64 {
        self.speed_multiplier.unwrap_or(settings.optimisation.default_speed_multiplier).clamp(0.1, 3.0)
    }
}

/// Of each driver the defaults with every active variant of the day: those named for the day before those for every day,
/// then the oldest. A driver without a variant appears once, with his own.
pub(crate) async fn of_drivers(
    connection: &mut PgConnection,
    drivers: &[i64],
    date: NaiveDate,
) -> Result<Vec<Defaults>> {
    read(connection, drivers, None, Some(weekday(date))).await
}

/// The defaults of one driver or, when a variant is named, of that.
///
/// # Errors
/// 400 naming what does not exist.
pub(crate) async fn of_one(
    connection: &mut PgConnection,
    driver: Option<i64>,
    config: Option<i64>,
    date: NaiveDate,
) -> Result<Defaults> {
    let missing = |field: &str| Error::field(field, "Value does not exist");
    let driver = match (driver, config) {
        (Some(driver), None) => driver,
        (_, Some(config)) => {
            let owner: Option<i64> = sqlx::query_scalar("select driver_id from driver_configs where id = $1")
                .bind(config)
                .fetch_optional(&mut *connection)
                .await?;
            owner
                .filter(|owner| driver.is_none_or(|driver| driver == *owner))
                .ok_or_else(|| missing("config_id"))?
        }
        (None, None) => return Err(Error::field("driver_id", routewright_core::check::REQUIRED)),
    };
    let day = config.is_none().then(|| weekday(date));
    let found = read(connection, &[driver], config, day).await?;
    found.into_iter().next().ok_or_else(|| missing("driver_id"))
}

fn weekday(date: NaiveDate) -> String {
    // chrono writes English names whatever the locale: "Monday".
    date.format("%A").to_string().to_lowercase()
}

async fn read(
    connection: &mut PgConnection,
    drivers: &[i64],
    config: Option<i64>,
    day: Option<String>,
) -> Result<Vec<Defaults>> {
    let rows = sqlx::query_as(
        "select d.id as driver_id, c.id as config_id, d.uid, d.driver_user_id, v.id as vehicle_id,
             case when c.start_lat is null then d.location_id else c.start_location_id end as start_location_id,
             coalesce(c.start_address, d.address) as start_address, coalesce(c.start_lat, d.lat) as start_lat,
             coalesce(c.start_lon, d.lon) as start_lon,
             case when e.route_end <> 'end_location' then null
                 when c.end_lat is null then d.end_location_id else c.end_location_id end as end_location_id,
             case when e.route_end = 'end_location' then coalesce(c.end_address, d.end_address) end as end_address,
             case when e.route_end = 'end_location' then coalesce(c.end_lat, d.end_lat) end as end_lat,
             case when e.route_end = 'end_location' then coalesce(c.end_lon, d.end_lon) end as end_lon,
             e.route_end, d.preferred_method, d.route_colour,
             coalesce(c.capacity, nullif(d.capacity, '0'), v.capacity, '0') as capacity,
             coalesce(c.alternatives_group, d.alternatives_group) as alternatives_group,
             coalesce(c.spec_type, d.spec_type, v.spec_type) as spec_type,
             coalesce(c.shift_start, d.shift_start) as shift_start, coalesce(c.shift_end, d.shift_end) as shift_end,
             coalesce(c.lunch_time, d.lunch_time) as lunch_time,
             coalesce(c.lunch_latest_start, d.lunch_latest_start) as lunch_latest_start,
             coalesce(c.lunch_duration, d.lunch_duration) as lunch_duration,
             coalesce(c.speed_multiplier, nullif(d.speed_multiplier, 1), v.speed_multiplier) as speed_multiplier,
             coalesce(d.device_id, v.device_id) as device_id,
             array(select t.territory_id from driver_territories t where t.driver_id = d.id order by t.territory_id)
                 as territory_ids,
             v.fuel_consumption as litres_per_100_km, v.co2_per_litre,
             v.road_profile, v.height, v.width, v.length, v.weight, v.hazardous_goods, v.tolls
         from drivers d
         left join driver_configs c on c.driver_id = d.id
             and (c.id = $2 or $2 is null and c.active and (c.days = '{}' or $3 = any(c.days)))
         left join vehicles v on v.id = coalesce(c.vehicle_id, d.vehicle_id)
         cross join lateral (select coalesce(c.route_end, d.route_end) as route_end) e
         where d.id = any($1) and d.deleted_at is null
         order by d.id, coalesce(cardinality(c.days), 0) = 0, c.id",
    )
    .bind(drivers)
    .bind(config)
    .bind(day)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Makes the run. Its name and colour are the driver's; without one the palette's next.
///
/// # Errors
/// 400 when the scenario does not exist.
pub(crate) async fn insert(
    connection: &mut PgConnection,
    scenario: i64,
    new: &Defaults,
    token: String,
    settings: &Settings,
) -> Result<i64> {
    let others: i64 = sqlx::query_scalar("select count(*) from runs where scenario_id = $1")
        .bind(scenario)
        .fetch_one(&mut *connection)
        .await?;
    let turn = usize::try_from(others).unwrap_or_default() % PALETTE.len();
    let method = new.preferred_method.as_deref().unwrap_or(&settings.dispatch_method);
    // Addresses and number stay the driver's until the run is given others.
    let id = sqlx::query_scalar(
        "insert into runs (uid, token, scenario_id, driver_id, driver_user_id, vehicle_id, start_location_id,
             start_address, start_lat, start_lon, end_location_id, end_address, end_lat, end_lon, route_end,
             preferred_method, route_colour, capacity, alternatives_group, spec_type, shift_start, shift_end,
             lunch_time, lunch_latest_start, lunch_duration, speed_multiplier, device_id, territory_ids)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
             $23, $24, $25, $26, $27, $28)
         returning id",
    )
    .bind(&new.uid)
    .bind(token)
    .bind(scenario)
    .bind(new.driver_id)
    .bind(new.driver_user_id)
    .bind(new.vehicle_id)
    .bind(new.start_location_id)
    .bind(&new.start_address)
    .bind(new.start_lat)
    .bind(new.start_lon)
    .bind(new.end_location_id)
    .bind(&new.end_address)
    .bind(new.end_lat)
    .bind(new.end_lon)
    .bind(&new.route_end)
    .bind(method)
    .bind(new.route_colour.as_deref().unwrap_or(PALETTE[turn]))
    .bind(&new.capacity)
    .bind(&new.alternatives_group)
    .bind(&new.spec_type)
    .bind(new.shift_start)
    .bind(new.shift_end)
    .bind(new.lunch_time)
    .bind(new.lunch_latest_start)
    .bind(new.lunch_duration)
    .bind(new.speed(settings))
    .bind(&new.device_id)
    .bind(&new.territory_ids)
    .fetch_one(connection)
    .await?;
    Ok(id)
}
