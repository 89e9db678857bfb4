-- Billing rates, vehicles and drivers. haulier_id and driver_user_id are ids of the control schema.

-- currency null = the organisation's.
create table billing_rates (
    id bigint generated always as identity primary key,
    name text not null,
    cost_per_run numeric(14, 4) not null default 0,
    cost_per_km numeric(14, 4) not null default 0,
    cost_per_hour numeric(14, 4) not null default 0,
    cost_per_drop numeric(14, 4) not null default 0,
    currency text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint billing_rates_name_check check (name ~ '\S' and length(name) <= 200),
    constraint billing_rates_cost_per_run_check check (cost_per_run >= 0),
    constraint billing_rates_cost_per_km_check check (cost_per_km >= 0),
    constraint billing_rates_cost_per_hour_check check (cost_per_hour >= 0),
    constraint billing_rates_cost_per_drop_check check (cost_per_drop >= 0),
    constraint billing_rates_currency_check check (currency ~ '^[A-Z]{3}$')
);

-- fuel_consumption: litres per 100 km; co2_per_litre: grams.
create table vehicles (
    id bigint generated always as identity primary key,
    uid text not null,
    name text,
    registration text,
    vehicle_type text,
    capacity text,
    spec_type text,
    speed_multiplier double precision,
    fuel_consumption double precision,
    co2_per_litre double precision not null default 2640,
    device_id text,
    haulier_id bigint,
    billing_rate_id bigint references billing_rates (id),
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint vehicles_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint vehicles_speed_multiplier_check check (speed_multiplier between 0.1 and 3),
    constraint vehicles_fuel_consumption_check check (fuel_consumption between 0 and 1e9),
    constraint vehicles_co2_per_litre_check check (co2_per_litre between 0 and 1e9)
);

create index vehicles_uid_idx on vehicles (lower(uid));
create index vehicles_device_idx on vehicles (device_id) where device_id is not null;
create index vehicles_haulier_idx on vehicles (haulier_id) where haulier_id is not null;
create index vehicles_billing_rate_idx on vehicles (billing_rate_id);

-- Every rate a vehicle may use, in the order they were added; vehicles.billing_rate_id is the current one.
create table vehicle_billing_rates (
    vehicle_id bigint not null references vehicles (id) on delete cascade,
    billing_rate_id bigint not null references billing_rates (id),
    position integer not null,
    primary key (vehicle_id, billing_rate_id),
    constraint vehicle_billing_rates_position_check check (position > 0),
    constraint vehicle_billing_rates_position_key unique (vehicle_id, position) deferrable initially deferred
);

create index vehicle_billing_rates_rate_idx on vehicle_billing_rates (billing_rate_id);

-- lunch_duration: minutes. preferred_method null = the organisation's dispatch_method.
create table drivers (
    id bigint generated always as identity primary key,
    uid text not null,
    email text,
    phone_number text,
    preferred_method text,
    shift_start time not null default '09:00',
    shift_end time not null default '17:00',
    lunch_time time,
    lunch_latest_start time,
    lunch_duration double precision not null default 0,
    location_id bigint references locations (id) on delete set null,
    address text,
    lat double precision,
    lon double precision,
    end_location_id bigint references locations (id) on delete set null,
    end_address text,
    end_lat double precision,
    end_lon double precision,
    route_end text not null default 'start',
    route_colour text,
    capacity text not null default '0',
    spec_type text,
    speed_multiplier double precision not null default 1,
    alternatives_group text,
    vehicle_id bigint references vehicles (id) on delete set null,
    driver_user_id bigint,
    device_id text,
    haulier_id bigint,
    deleted_at timestamptz,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint drivers_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint drivers_preferred_method_check check (preferred_method in ('email', 'sms')),
    constraint drivers_lunch_duration_check check (lunch_duration between 0 and 1440),
    constraint drivers_location_check check (num_nonnulls(address, lat, lon) in (0, 3)),
    constraint drivers_lat_check check (lat between -90 and 90),
    constraint drivers_lon_check check (lon between -180 and 180),
    constraint drivers_end_location_check check (num_nonnulls(end_address, end_lat, end_lon) in (0, 3)),
    constraint drivers_end_lat_check check (end_lat between -90 and 90),
    constraint drivers_end_lon_check check (end_lon between -180 and 180),
    constraint drivers_route_end_check check (route_end in ('start', 'end_location', 'anywhere')),
    constraint drivers_route_colour_check check (route_colour ~ '^#[0-9A-Fa-f]{6}$'),
    constraint drivers_speed_multiplier_check check (speed_multiplier between 0.1 and 3)
);

create index drivers_uid_idx on drivers (lower(uid));
create index drivers_vehicle_idx on drivers (vehicle_id) where vehicle_id is not null;
create index drivers_driver_user_idx on drivers (driver_user_id) where driver_user_id is not null;
create index drivers_device_idx on drivers (device_id) where device_id is not null;
create index drivers_haulier_idx on drivers (haulier_id) where haulier_id is not null;

create table driver_territories (
    driver_id bigint not null references drivers (id) on delete cascade,
    territory_id bigint not null references territories (id) on delete cascade,
    primary key (driver_id, territory_id)
);

create index driver_territories_territory_idx on driver_territories (territory_id);

-- A variant of the driver's planning defaults; a null field keeps the driver's. days '{}' = every day.
create table driver_configs (
    id bigint generated always as identity primary key,
    driver_id bigint not null references drivers (id) on delete cascade,
    name text,
    days text[] not null default '{}',
    shift_start time,
    shift_end time,
    lunch_time time,
    lunch_latest_start time,
    lunch_duration double precision,
    capacity text,
    spec_type text,
    speed_multiplier double precision,
    start_location_id bigint references locations (id) on delete set null,
    start_address text,
    start_lat double precision,
    start_lon double precision,
    end_location_id bigint references locations (id) on delete set null,
    end_address text,
    end_lat double precision,
    end_lon double precision,
    route_end text,
    alternatives_group text,
    vehicle_id bigint references vehicles (id) on delete set null,
    active boolean not null default true,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint driver_configs_days_check check (days <@ array[
        'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'
    ]),
    constraint driver_configs_lunch_duration_check check (lunch_duration between 0 and 1440),
    constraint driver_configs_speed_multiplier_check check (speed_multiplier between 0.1 and 3),
    constraint driver_configs_start_location_check
        check (num_nonnulls(start_address, start_lat, start_lon) in (0, 3)),
    constraint driver_configs_start_lat_check check (start_lat between -90 and 90),
    constraint driver_configs_start_lon_check check (start_lon between -180 and 180),
    constraint driver_configs_end_location_check check (num_nonnulls(end_address, end_lat, end_lon) in (0, 3)),
    constraint driver_configs_end_lat_check check (end_lat between -90 and 90),
    constraint driver_configs_end_lon_check check (end_lon between -180 and 180),
    constraint driver_configs_route_end_check check (route_end in ('start', 'end_location', 'anywhere'))
);

create index driver_configs_driver_idx on driver_configs (driver_id);

create table run_code_maps (
    id bigint generated always as identity primary key,
    run_code text not null,
    driver_id bigint references drivers (id) on delete set null,
    depot_code text,
    vehicle_id bigint references vehicles (id) on delete set null,
    description text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint run_code_maps_run_code_check check (run_code ~ '\S' and length(run_code) <= 100),
    constraint run_code_maps_run_code_key unique (run_code)
);

create index run_code_maps_driver_idx on run_code_maps (driver_id);

create trigger touch_modified before update on billing_rates for each row execute function touch_modified();
create trigger touch_modified before update on vehicles for each row execute function touch_modified();
create trigger touch_modified before update on drivers for each row execute function touch_modified();
create trigger touch_modified before update on driver_configs for each row execute function touch_modified();
create trigger touch_modified before update on run_code_maps for each row execute function touch_modified();
