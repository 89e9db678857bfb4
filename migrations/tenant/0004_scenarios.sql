-- Scenarios (one plan of one day) and the templates they are made from.

create table scenario_templates (
    id bigint generated always as identity primary key,
    name text not null,
    name_pattern text not null default '{date} {template}',
    default_active_driver_ids bigint[] not null default '{}',
    territory_group_ids bigint[] not null default '{}',
    job_ids bigint[] not null default '{}',
    copy_of_scenario_id bigint,
    copy_items text[] not null default '{}',
    days text[] not null default '{}',
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint scenario_templates_name_check check (name ~ '\S' and length(name) <= 200),
    constraint scenario_templates_copy_items_check
        check (copy_items <@ array['jobs', 'units', 'territory_groups', 'returns', 'runs', 'proofs']),
    constraint scenario_templates_days_check check (days <@ array[
        'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'
    ])
);

-- version grows with every change of the plan.
create table scenarios (
    id bigint generated always as identity primary key,
    name text not null,
    stage text not null default 'planning',
    scheduled_date date not null,
    starred boolean not null default false,
    ws_token text not null,
    default_active_driver_ids bigint[] not null default '{}',
    template_id bigint references scenario_templates (id) on delete set null,
    version integer not null default 0,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint scenarios_name_check check (name ~ '\S' and length(name) <= 200),
    constraint scenarios_stage_check check (stage in ('planning', 'routing', 'tracking')),
    constraint scenarios_ws_token_check check (length(ws_token) >= 32),
    constraint scenarios_ws_token_key unique (ws_token)
);

create index scenarios_scheduled_date_idx on scenarios (scheduled_date desc, id desc);
create index scenarios_name_idx on scenarios (lower(name));
create index scenarios_template_idx on scenarios (template_id) where template_id is not null;

alter table scenario_templates
    add constraint scenario_templates_copy_of_scenario_id_fkey
    foreign key (copy_of_scenario_id) references scenarios (id) on delete set null;

create index scenario_templates_copy_of_scenario_idx
    on scenario_templates (copy_of_scenario_id) where copy_of_scenario_id is not null;

create table scenario_territory_groups (
    scenario_id bigint not null references scenarios (id) on delete cascade,
    territory_group_id bigint not null references territory_groups (id) on delete cascade,
    primary key (scenario_id, territory_group_id)
);

create index scenario_territory_groups_group_idx on scenario_territory_groups (territory_group_id);

create trigger touch_modified before update on scenario_templates for each row execute function touch_modified();
create trigger touch_modified before update on scenarios for each row execute function touch_modified();
