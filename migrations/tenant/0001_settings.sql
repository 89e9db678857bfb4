-- Settings and vocabularies of the organisation.

create function touch_modified() returns trigger
    language plpgsql
as $$
begin
    new.modified := now();
    return new;
end
$$;

create table tags (
    id bigint generated always as identity primary key,
    name text not null,
    color text not null default '#34495e',
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint tags_name_check check (name ~ '\S' and length(name) <= 100),
    constraint tags_color_check check (color ~ '^#[0-9A-Fa-f]{6}$')
);

create unique index tags_name_key on tags (lower(name));

create table reasons (
    id bigint generated always as identity primary key,
    name text not null,
    ok boolean not null default false,
    applies_to text[] not null default '{}',
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint reasons_name_check check (name ~ '\S' and length(name) <= 200),
    constraint reasons_applies_to_check
        check (applies_to <@ array['job', 'load', 'deliver', 'pickup', 'at_depot'])
);

create table scenario_reasons (
    id bigint generated always as identity primary key,
    name text not null,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint scenario_reasons_name_check check (name ~ '\S' and length(name) <= 200)
);

create table information_groups (
    name text primary key,
    value jsonb not null default '{}',
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint information_groups_name_check check (name in (
        'reschedule_settings', 'notification_settings', 'app_settings', 'pod_settings',
        'delivery_tracking_settings', 'dispatch_settings', 'udf_config'
    )),
    constraint information_groups_value_check check (jsonb_typeof(value) = 'object')
);

-- group_name and position are "group" and "order" on the wire.
create table config_values (
    id bigint generated always as identity primary key,
    group_name text not null,
    key text not null,
    value jsonb not null default '{}',
    position integer not null default 0,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint config_values_group_check check (group_name ~ '\S'),
    constraint config_values_key_check check (key ~ '\S'),
    constraint config_values_key_key unique (group_name, key)
);

create table secrets (
    id bigint generated always as identity primary key,
    name text not null,
    value_encrypted bytea not null,
    masked text not null,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint secrets_name_check check (name ~ '\S' and length(name) <= 100),
    constraint secrets_name_key unique (name)
);

-- Tried in the order of position, then id.
create table filename_regex (
    id bigint generated always as identity primary key,
    name text not null,
    pattern text not null,
    target text not null,
    date_format text,
    active boolean not null default true,
    position integer not null default 0,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint filename_regex_name_check check (name ~ '\S' and length(name) <= 200),
    constraint filename_regex_pattern_check check (pattern <> '' and length(pattern) <= 1000),
    constraint filename_regex_target_check check (target in ('job_import', 'proof_file'))
);

create table checklist_definitions (
    id bigint generated always as identity primary key,
    name text not null,
    type text not null,
    fields jsonb not null default '[]',
    version integer not null default 1,
    active boolean not null default true,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint checklist_definitions_name_check check (name ~ '\S' and length(name) <= 200),
    constraint checklist_definitions_type_check check (type in ('start_route', 'end_route')),
    constraint checklist_definitions_fields_check check (
        case when jsonb_typeof(fields) = 'array' then jsonb_array_length(fields) <= 30 else false end
    ),
    constraint checklist_definitions_version_check check (version > 0)
);

create unique index checklist_definitions_active_key on checklist_definitions (type) where active;

create table udf_actions (
    id bigint generated always as identity primary key,
    name text not null,
    event text not null,
    conditions jsonb not null default '[]',
    action text not null,
    config jsonb not null default '{}',
    enabled boolean not null default true,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint udf_actions_name_check check (name ~ '\S' and length(name) <= 200),
    constraint udf_actions_conditions_check check (jsonb_typeof(conditions) = 'array'),
    constraint udf_actions_action_check
        check (action in ('webhook', 'email', 'sms', 'add_tag', 'set_extra_field')),
    constraint udf_actions_config_check check (jsonb_typeof(config) = 'object')
);

create index udf_actions_event_idx on udf_actions (event) where enabled;

create table udf_runs (
    id bigint generated always as identity primary key,
    action_id bigint not null references udf_actions (id) on delete cascade,
    event text not null,
    payload jsonb not null default '{}',
    status text not null default 'pending',
    attempts integer not null default 0,
    response_status integer,
    error text,
    finished timestamptz,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint udf_runs_status_check check (status in ('pending', 'done', 'failed')),
    constraint udf_runs_attempts_check check (attempts >= 0)
);

create index udf_runs_action_idx on udf_runs (action_id, id desc);

create trigger touch_modified before update on tags for each row execute function touch_modified();
create trigger touch_modified before update on reasons for each row execute function touch_modified();
create trigger touch_modified before update on scenario_reasons for each row execute function touch_modified();
create trigger touch_modified before update on information_groups for each row execute function touch_modified();
create trigger touch_modified before update on config_values for each row execute function touch_modified();
create trigger touch_modified before update on secrets for each row execute function touch_modified();
create trigger touch_modified before update on filename_regex for each row execute function touch_modified();
create trigger touch_modified before update on checklist_definitions for each row execute function touch_modified();
create trigger touch_modified before update on udf_actions for each row execute function touch_modified();
create trigger touch_modified before update on udf_runs for each row execute function touch_modified();

insert into reasons (name, ok, applies_to) values
    ('Loaded - OK', true, '{load,pickup}'),
    ('Delivered - OK', true, '{job,deliver,at_depot}'),
    ('Not home', false, '{job,deliver}'),
    ('Refused', false, '{job,deliver}'),
    ('Damaged', false, '{job,load,deliver,pickup,at_depot}'),
    ('Short delivery', false, '{job,load,deliver}'),
    ('Address not found', false, '{job,deliver,pickup}');
