-- Organisations, hauliers and where each organisation's schema lives.

create function touch_modified() returns trigger
    language plpgsql
as $$
begin
    new.modified := now();
    return new;
end
$$;

-- A haulier is an organisation with a parent. It has no schema: its people work in the parent's schema.
create table organisations (
    id bigint generated always as identity primary key,
    name text not null,
    timezone text not null default 'UTC',
    settings jsonb not null default '{}',
    modules text[] not null default '{}',
    parent_organisation_id bigint references organisations (id),
    email text,
    phone_number text,
    logo_file_uid text,
    is_master boolean not null default false,
    state text not null default 'provisioning',
    schema_version bigint,
    schema_error text,
    placement text not null default 'default',
    canary boolean not null default false,
    deleted_at timestamptz,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint organisations_name_check check (name ~ '\S' and length(name) <= 200),
    constraint organisations_timezone_check check (timezone <> ''),
    constraint organisations_settings_check check (jsonb_typeof(settings) = 'object'),
    constraint organisations_state_check check (state in ('provisioning', 'ready', 'failed', 'deleting')),
    constraint organisations_parent_check check (parent_organisation_id is null or parent_organisation_id <> id),
    constraint organisations_master_check check (not is_master or parent_organisation_id is null),
    -- lets users prove that their haulier belongs to their organisation
    constraint organisations_parent_id_key unique (parent_organisation_id, id)
);

-- Two organisations may each have a haulier of the same name.
create unique index organisations_name_key
    on organisations (coalesce(parent_organisation_id, 0), lower(name)) where deleted_at is null;
create unique index organisations_master_key on organisations (is_master) where is_master;
create index organisations_state_idx on organisations (state);

create trigger touch_modified before update on organisations
    for each row execute function touch_modified();

-- One row per change of roles or modules, so that a lost announcement is noticed.
-- Writers lock the organisation's row first: then seq grows in commit order within an organisation.
create table policy_changes (
    seq bigint generated always as identity primary key,
    organisation_id bigint not null references organisations (id) on delete cascade,
    at timestamptz not null default now()
);

create index policy_changes_organisation_idx on policy_changes (organisation_id, seq desc);
