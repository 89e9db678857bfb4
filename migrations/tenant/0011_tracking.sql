-- Positions on the road, and what customers and partners were told or asked for.

-- accuracy: metres; speed: m/s; heading: degrees. run_id null = outside the run's time.
create table gps_points (
    id bigint generated always as identity primary key,
    run_id bigint references runs (id) on delete cascade,
    driver_id bigint references drivers (id) on delete cascade,
    device_id text,
    lat double precision not null,
    lon double precision not null,
    accuracy double precision,
    speed double precision,
    heading double precision,
    recorded_at timestamptz not null,
    created timestamptz not null default now(),
    constraint gps_points_lat_check check (lat between -90 and 90),
    constraint gps_points_lon_check check (lon between -180 and 180),
    constraint gps_points_accuracy_check check (accuracy >= 0),
    -- also the index of a run's trail; a point sent twice is stored once
    constraint gps_points_recorded_at_key unique nulls not distinct (run_id, recorded_at, driver_id, device_id)
);

create index gps_points_recorded_at_idx on gps_points (recorded_at);
create index gps_points_driver_idx on gps_points (driver_id, recorded_at desc);

create table reschedule_requests (
    id bigint generated always as identity primary key,
    job_id bigint not null references jobs (id) on delete cascade,
    date date not null,
    time_from time,
    time_to time,
    note text,
    handled_at timestamptz,
    handled_by bigint,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint reschedule_requests_times_check check (time_from <= time_to)
);

create index reschedule_requests_job_idx on reschedule_requests (job_id, id desc);
create index reschedule_requests_open_idx on reschedule_requests (id) where handled_at is null;

create table tracking_sends (
    id bigint generated always as identity primary key,
    job_id bigint not null references jobs (id) on delete cascade,
    email text not null,
    dispatch_method text not null default 'email',
    message_id bigint references messages (id) on delete set null,
    success boolean not null,
    error text,
    sent_by bigint,
    created timestamptz not null default now(),
    constraint tracking_sends_dispatch_method_check check (dispatch_method in ('email'))
);

create index tracking_sends_job_idx on tracking_sends (job_id, id desc);
create index tracking_sends_message_idx on tracking_sends (message_id) where message_id is not null;

-- Documents and files handed to partners. checksum: SHA-256 of the file, hexadecimal.
create table partner_messages (
    id bigint generated always as identity primary key,
    partner text not null,
    kind text not null,
    scenario_id bigint references scenarios (id) on delete set null,
    run_id bigint references runs (id) on delete set null,
    job_id bigint references jobs (id) on delete set null,
    document jsonb,
    file_name text,
    checksum text,
    state text not null default 'pending',
    attempts integer not null default 0,
    error text,
    sent_at timestamptz,
    created_by bigint,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint partner_messages_state_check check (state in ('pending', 'sending', 'sent', 'failed')),
    constraint partner_messages_attempts_check check (attempts >= 0)
);

create index partner_messages_scenario_idx on partner_messages (scenario_id) where scenario_id is not null;
create index partner_messages_run_idx on partner_messages (run_id) where run_id is not null;
create index partner_messages_job_idx on partner_messages (job_id) where job_id is not null;
create index partner_messages_pending_idx on partner_messages (id) where state in ('pending', 'sending');

create trigger touch_modified before update on reschedule_requests for each row execute function touch_modified();
create trigger touch_modified before update on partner_messages for each row execute function touch_modified();
