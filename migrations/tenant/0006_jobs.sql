-- Jobs and what is carried. scenario_id null = the job is in the pool; run_id null = the job is unserved.
-- duration: minutes; wait_seconds: planned waiting before the job; size: size grammar;
-- pickup_from, deliver_to: comma-separated uids of jobs of the same scenario (or of the pool).

create table jobs (
    id bigint generated always as identity primary key,
    uid text not null,
    scenario_id bigint references scenarios (id),
    run_id bigint,
    seq integer,
    tracking_token text not null,
    timezone text not null default 'UTC',
    location_id bigint references locations (id) on delete set null,
    address text not null,
    lat double precision not null,
    lon double precision not null,
    client_id bigint references clients (id) on delete set null,
    customer_name text,
    customer_email text,
    phone_number text,
    duration double precision not null default 5,
    arrive_after time,
    leave_by time,
    size text,
    spec_type text,
    priority boolean not null default false,
    colour text not null default '#34495e',
    comments text,
    consignee_info text,
    consignor_info text,
    external_comments text,
    dock_location text,
    invoice text,
    reference text,
    pickup_from text,
    deliver_to text,
    idm boolean not null default false,
    extra_fields jsonb not null default '{}',
    eta timestamptz,
    etd timestamptz,
    updated_eta timestamptz,
    wait_seconds integer not null default 0,
    unserved_reason text,
    last_tracking_sent_at timestamptz,
    eta_alerted_at timestamptz,
    eta_alerted_minutes integer,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint jobs_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint jobs_tracking_token_check check (tracking_token ~ '^[A-HJKMNP-Z2-9]{12}$'),
    constraint jobs_tracking_token_key unique (tracking_token),
    constraint jobs_run_id_fkey foreign key (scenario_id, run_id) references runs (scenario_id, id),
    constraint jobs_run_id_check check (run_id is null or scenario_id is not null),
    constraint jobs_seq_check check ((run_id is null) = (seq is null) and coalesce(seq > 0, true)),
    -- checked at commit, so that renumbering may pass through equal numbers
    constraint jobs_seq_key unique (run_id, seq) deferrable initially deferred,
    constraint jobs_address_check check (address ~ '\S'),
    constraint jobs_lat_check check (lat between -90 and 90),
    constraint jobs_lon_check check (lon between -180 and 180),
    constraint jobs_duration_check check (duration > 0 and duration <= 1e9),
    constraint jobs_windows_check check (arrive_after <= leave_by),
    constraint jobs_colour_check check (colour ~ '^#[0-9A-Fa-f]{6}$'),
    constraint jobs_extra_fields_check check (jsonb_typeof(extra_fields) = 'object'),
    constraint jobs_eta_check check (eta <= etd),
    constraint jobs_wait_seconds_check check (wait_seconds >= 0)
);

create index jobs_scenario_idx on jobs (scenario_id, run_id, seq);
create index jobs_pool_idx on jobs (id desc) where scenario_id is null;
create index jobs_uid_idx on jobs (lower(uid));
create index jobs_client_idx on jobs (client_id) where client_id is not null;
create index jobs_location_idx on jobs (location_id) where location_id is not null;
create index jobs_created_idx on jobs (created desc);

create table job_tags (
    job_id bigint not null references jobs (id) on delete cascade,
    tag_id bigint not null references tags (id) on delete cascade,
    primary key (job_id, tag_id)
);

create index job_tags_tag_idx on job_tags (tag_id);

create table containers (
    id bigint generated always as identity primary key,
    uid text not null,
    extra_fields jsonb not null default '{}',
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint containers_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint containers_extra_fields_check check (jsonb_typeof(extra_fields) = 'object')
);

create index containers_uid_idx on containers (lower(uid));

-- job_id null = the unit is in the pool.
create table units (
    id bigint generated always as identity primary key,
    uid text not null,
    name text,
    invoice text,
    reference text,
    extra_fields jsonb not null default '{}',
    job_id bigint references jobs (id) on delete cascade,
    container_id bigint references containers (id) on delete set null,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint units_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint units_extra_fields_check check (jsonb_typeof(extra_fields) = 'object')
);

create index units_job_idx on units (job_id);
create index units_container_idx on units (container_id) where container_id is not null;
create index units_uid_idx on units (lower(uid));

-- job_id null = the return is in the pool.
create table returns (
    id bigint generated always as identity primary key,
    uid text not null,
    comments text,
    client_id bigint references clients (id) on delete set null,
    extra_fields jsonb not null default '{}',
    job_id bigint references jobs (id) on delete cascade,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint returns_uid_check check (uid ~ '\S' and length(uid) <= 100),
    constraint returns_extra_fields_check check (jsonb_typeof(extra_fields) = 'object')
);

create index returns_job_idx on returns (job_id);
create index returns_client_idx on returns (client_id) where client_id is not null;
create index returns_uid_idx on returns (lower(uid));

create trigger touch_modified before update on jobs for each row execute function touch_modified();
create trigger touch_modified before update on containers for each row execute function touch_modified();
create trigger touch_modified before update on units for each row execute function touch_modified();
create trigger touch_modified before update on returns for each row execute function touch_modified();
