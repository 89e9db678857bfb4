-- Known places, clients and territories.
-- address, lat and lon are copied to what stands there; location_id only remembers where they came from.

create table locations (
    id bigint generated always as identity primary key,
    uid text,
    name text,
    address text not null,
    lat double precision not null,
    lon double precision not null,
    kind text not null default 'other',
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint locations_address_check check (address ~ '\S'),
    constraint locations_lat_check check (lat between -90 and 90),
    constraint locations_lon_check check (lon between -180 and 180),
    constraint locations_kind_check check (kind in ('depot', 'customer', 'other'))
);

create index locations_uid_idx on locations (lower(uid));
create index locations_kind_idx on locations (kind);

create table clients (
    id bigint generated always as identity primary key,
    uid text not null,
    name text not null,
    location_id bigint references locations (id) on delete set null,
    address text,
    lat double precision,
    lon double precision,
    arrive_after time,
    leave_by time,
    spec_type text,
    delivery_instructions text,
    customer_email text,
    phone_number text,
    dock_location text,
    external_comments text,
    consignee_info text,
    colour text,
    extra_fields jsonb not null default '{}',
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint clients_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint clients_uid_key unique (uid),
    constraint clients_name_check check (name ~ '\S'),
    constraint clients_location_check check (num_nonnulls(address, lat, lon) in (0, 3)),
    constraint clients_lat_check check (lat between -90 and 90),
    constraint clients_lon_check check (lon between -180 and 180),
    constraint clients_windows_check check (arrive_after <= leave_by),
    constraint clients_colour_check check (colour ~ '^#[0-9A-Fa-f]{6}$'),
    constraint clients_extra_fields_check check (jsonb_typeof(extra_fields) = 'object')
);

create index clients_uid_idx on clients (lower(uid));
create index clients_name_idx on clients (lower(name));
create index clients_location_idx on clients (location_id) where location_id is not null;

-- geometry: GeoJSON Polygon or MultiPolygon, lon/lat, closed rings.
create table territories (
    id bigint generated always as identity primary key,
    uid text,
    name text not null,
    geometry jsonb not null,
    colour text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint territories_name_check check (name ~ '\S' and length(name) <= 200),
    constraint territories_geometry_check
        check (coalesce(geometry ->> 'type' in ('Polygon', 'MultiPolygon'), false)),
    constraint territories_colour_check check (colour ~ '^#[0-9A-Fa-f]{6}$')
);

create index territories_uid_idx on territories (lower(uid));

-- coordinates: outer rings drawn by hand; null = the outline of the group's territories.
create table territory_groups (
    id bigint generated always as identity primary key,
    name text not null,
    coordinates jsonb,
    colour text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint territory_groups_name_check check (name ~ '\S' and length(name) <= 200),
    constraint territory_groups_coordinates_check check (jsonb_typeof(coordinates) = 'array'),
    constraint territory_groups_colour_check check (colour ~ '^#[0-9A-Fa-f]{6}$')
);

create table territory_group_territories (
    territory_group_id bigint not null references territory_groups (id) on delete cascade,
    territory_id bigint not null references territories (id) on delete cascade,
    primary key (territory_group_id, territory_id)
);

create index territory_group_territories_territory_idx on territory_group_territories (territory_id);

create trigger touch_modified before update on locations for each row execute function touch_modified();
create trigger touch_modified before update on clients for each row execute function touch_modified();
create trigger touch_modified before update on territories for each row execute function touch_modified();
create trigger touch_modified before update on territory_groups for each row execute function touch_modified();
