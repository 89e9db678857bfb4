-- How sure the address search was of what it found. What was found before was taken as it was.
alter table looked_up_addresses
    add column label text,
    add column confidence double precision not null default 1,
    add column kind text not null default 'unknown',
    add column source text not null default 'server',
    add constraint looked_up_addresses_confidence_check check (confidence between 0 and 1);

-- Places of addresses that somebody has confirmed, for a client or, without one, for jobs that have none. In lower case.
create table confirmed_addresses (
    id bigint generated always as identity primary key,
    client_id bigint references clients (id) on delete cascade,
    address text not null,
    lat double precision not null,
    lon double precision not null,
    confirmed timestamptz not null default now(),
    constraint confirmed_addresses_key unique nulls not distinct (client_id, address),
    constraint confirmed_addresses_address_check check (address ~ '\S' and length(address) <= 500),
    constraint confirmed_addresses_lat_check check (lat between -90 and 90),
    constraint confirmed_addresses_lon_check check (lon between -180 and 180)
);

create index jobs_address_idx on jobs (lower(address));
