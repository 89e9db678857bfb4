-- Phones' apps and trackers in vehicles that send positions by themselves. Each has a key, of which only the SHA-256 is kept.
-- uid: what the device_id of runs, drivers and vehicles says. What it sends goes to the run of its driver, of its vehicle or
-- of whoever says its uid, and only while that run is driven.
create table tracking_devices (
    id bigint generated always as identity primary key,
    uid text not null,
    driver_id bigint references drivers (id) on delete set null,
    vehicle_id bigint references vehicles (id) on delete set null,
    key_hash bytea,
    key_made_at timestamptz,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint tracking_devices_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint tracking_devices_uid_key unique (uid),
    constraint tracking_devices_vehicle_id_check check (driver_id is null or vehicle_id is null),
    constraint tracking_devices_key_hash_key unique (key_hash)
);

create index tracking_devices_driver_idx on tracking_devices (driver_id) where driver_id is not null;
create index tracking_devices_vehicle_idx on tracking_devices (vehicle_id) where vehicle_id is not null;

create trigger touch_modified before update on tracking_devices for each row execute function touch_modified();

-- When a device was heard of last. battery: percent. requests: of the minute that began then.
create table tracking_device_contacts (
    device_id bigint primary key references tracking_devices (id) on delete cascade,
    last_at timestamptz not null,
    battery smallint,
    minute timestamptz not null,
    requests integer not null,
    constraint tracking_device_contacts_battery_check check (battery between 0 and 100)
);

insert into audit_watched (table_name, kind, name, unwatched) values
    ('tracking_devices', 'tracking_device', 'r.uid', '{key_hash}');
