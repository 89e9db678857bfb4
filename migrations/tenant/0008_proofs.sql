-- Proofs and checklists. record_time is when it happened on the device; a proof that arrives twice
-- (same subject, mode and record_time) is stored once. What has a proof cannot be deleted.
-- photo_ids are ids of files.

create table job_proofs (
    id bigint generated always as identity primary key,
    job_id bigint not null references jobs (id),
    run_id bigint references runs (id),
    success boolean not null default true,
    reason_id bigint references reasons (id),
    record_time timestamptz not null,
    lat double precision,
    lon double precision,
    signature_id bigint references files (id),
    signature_name text,
    photo_ids bigint[] not null default '{}',
    comments text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint job_proofs_subject_key unique (job_id, record_time),
    constraint job_proofs_position_check check (num_nonnulls(lat, lon) in (0, 2)),
    constraint job_proofs_lat_check check (lat between -90 and 90),
    constraint job_proofs_lon_check check (lon between -180 and 180)
);

create table unit_proofs (
    id bigint generated always as identity primary key,
    unit_id bigint not null references units (id),
    job_id bigint references jobs (id),
    run_id bigint references runs (id),
    container_id bigint references containers (id),
    mode text not null,
    success boolean not null default true,
    reason_id bigint references reasons (id),
    record_time timestamptz not null,
    lat double precision,
    lon double precision,
    signature_id bigint references files (id),
    signature_name text,
    photo_ids bigint[] not null default '{}',
    comments text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint unit_proofs_subject_key unique (unit_id, mode, record_time),
    constraint unit_proofs_mode_check check (mode in ('load', 'deliver', 'pickup', 'at_depot', 'return')),
    constraint unit_proofs_position_check check (num_nonnulls(lat, lon) in (0, 2)),
    constraint unit_proofs_lat_check check (lat between -90 and 90),
    constraint unit_proofs_lon_check check (lon between -180 and 180)
);

create table return_proofs (
    id bigint generated always as identity primary key,
    return_id bigint not null references returns (id),
    job_id bigint references jobs (id),
    run_id bigint references runs (id),
    mode text not null,
    success boolean not null default true,
    reason_id bigint references reasons (id),
    record_time timestamptz not null,
    lat double precision,
    lon double precision,
    signature_id bigint references files (id),
    signature_name text,
    photo_ids bigint[] not null default '{}',
    comments text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint return_proofs_subject_key unique (return_id, mode, record_time),
    constraint return_proofs_mode_check check (mode in ('load', 'deliver', 'pickup', 'at_depot', 'return')),
    constraint return_proofs_position_check check (num_nonnulls(lat, lon) in (0, 2)),
    constraint return_proofs_lat_check check (lat between -90 and 90),
    constraint return_proofs_lon_check check (lon between -180 and 180)
);

create table container_proofs (
    id bigint generated always as identity primary key,
    container_id bigint not null references containers (id),
    job_id bigint references jobs (id),
    run_id bigint references runs (id),
    mode text,
    success boolean not null default true,
    reason_id bigint references reasons (id),
    record_time timestamptz not null,
    lat double precision,
    lon double precision,
    signature_id bigint references files (id),
    signature_name text,
    photo_ids bigint[] not null default '{}',
    comments text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint container_proofs_subject_key
        unique nulls not distinct (container_id, job_id, mode, record_time),
    constraint container_proofs_mode_check check (mode in ('load', 'deliver', 'pickup', 'at_depot', 'return')),
    constraint container_proofs_position_check check (num_nonnulls(lat, lon) in (0, 2)),
    constraint container_proofs_lat_check check (lat between -90 and 90),
    constraint container_proofs_lon_check check (lon between -180 and 180)
);

-- odometer: km.
create table run_proofs (
    id bigint generated always as identity primary key,
    run_id bigint not null references runs (id),
    mode text not null,
    record_time timestamptz not null,
    odometer numeric(12, 2),
    photo_ids bigint[] not null default '{}',
    signature_id bigint references files (id),
    lat double precision,
    lon double precision,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint run_proofs_subject_key unique (run_id, mode, record_time),
    constraint run_proofs_mode_check check (mode in ('start', 'end')),
    constraint run_proofs_odometer_check check (odometer between 0 and 1e9),
    constraint run_proofs_photo_ids_check check (cardinality(photo_ids) <= 5),
    constraint run_proofs_position_check check (num_nonnulls(lat, lon) in (0, 2)),
    constraint run_proofs_lat_check check (lat between -90 and 90),
    constraint run_proofs_lon_check check (lon between -180 and 180)
);

-- checklist_definition: the definition as it was when the driver answered it; values: {field id: value}.
create table checklist_submissions (
    id bigint generated always as identity primary key,
    checklist_definition_id bigint references checklist_definitions (id) on delete set null,
    checklist_definition jsonb not null,
    values jsonb not null default '{}',
    run_id bigint not null references runs (id) on delete cascade,
    submitted_by bigint,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint checklist_submissions_values_check check (jsonb_typeof(values) = 'object')
);

create index job_proofs_run_idx on job_proofs (run_id) where run_id is not null;
create index job_proofs_record_time_idx on job_proofs (record_time desc);
create index unit_proofs_run_idx on unit_proofs (run_id) where run_id is not null;
create index unit_proofs_job_idx on unit_proofs (job_id) where job_id is not null;
create index unit_proofs_container_idx on unit_proofs (container_id) where container_id is not null;
create index return_proofs_run_idx on return_proofs (run_id) where run_id is not null;
create index return_proofs_job_idx on return_proofs (job_id) where job_id is not null;
create index container_proofs_run_idx on container_proofs (run_id) where run_id is not null;
create index container_proofs_job_idx on container_proofs (job_id) where job_id is not null;
create index checklist_submissions_run_idx on checklist_submissions (run_id);
create index checklist_submissions_definition_idx on checklist_submissions (checklist_definition_id);

create trigger touch_modified before update on job_proofs for each row execute function touch_modified();
create trigger touch_modified before update on unit_proofs for each row execute function touch_modified();
create trigger touch_modified before update on return_proofs for each row execute function touch_modified();
create trigger touch_modified before update on container_proofs for each row execute function touch_modified();
create trigger touch_modified before update on run_proofs for each row execute function touch_modified();
create trigger touch_modified before update on checklist_submissions for each row execute function touch_modified();
