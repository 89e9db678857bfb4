-- Files in object storage and generated exports. created_by is a user id of the control schema.

create table files (
    id bigint generated always as identity primary key,
    uid text not null,
    name text not null,
    prefix text,
    content_type text not null,
    size bigint not null,
    storage_key text not null,
    checksum text,
    state text not null default 'uploading',
    created_by bigint,
    created_by_run bigint references runs (id) on delete set null,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint files_uid_check check (length(uid) >= 22),
    constraint files_uid_key unique (uid),
    constraint files_storage_key_key unique (storage_key),
    constraint files_size_check check (size >= 0),
    constraint files_state_check check (state in ('uploading', 'ready', 'deleted'))
);

create index files_created_by_run_idx on files (created_by_run) where created_by_run is not null;
create index files_unfinished_idx on files (created) where state <> 'ready';

create table excel_exports (
    id bigint generated always as identity primary key,
    name text not null,
    kind text not null default 'excel',
    source text not null,
    parameters jsonb not null default '{}',
    status text not null default 'pending',
    error text,
    file_id bigint references files (id) on delete set null,
    expires_at timestamptz,
    created_by bigint,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint excel_exports_kind_check check (kind in ('csv', 'excel')),
    constraint excel_exports_source_check
        check (source in ('jobs', 'units', 'runs', 'returns', 'run_cost_calculator', 'proofs')),
    constraint excel_exports_status_check check (status in ('pending', 'ready', 'failed'))
);

create index excel_exports_file_idx on excel_exports (file_id) where file_id is not null;
create index excel_exports_expires_idx on excel_exports (expires_at) where expires_at is not null;

create trigger touch_modified before update on files for each row execute function touch_modified();
create trigger touch_modified before update on excel_exports for each row execute function touch_modified();
