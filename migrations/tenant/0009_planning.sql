-- Optimisation tasks and the history of the plan. User ids are ids of the control schema.

create table optimisation_tasks (
    id bigint generated always as identity primary key,
    scenario_id bigint not null references scenarios (id) on delete cascade,
    status text not null default 'queued',
    progress integer not null default 0,
    error text,
    options jsonb not null default '{}',
    driver_ids bigint[] not null default '{}',
    cancel_requested boolean not null default false,
    unserved_count integer,
    requested_by bigint,
    started timestamptz,
    finished timestamptz,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint optimisation_tasks_status_check check (status in ('queued', 'running', 'done', 'failed')),
    constraint optimisation_tasks_progress_check check (progress between 0 and 100),
    constraint optimisation_tasks_options_check check (jsonb_typeof(options) = 'object')
);

create unique index optimisation_tasks_scenario_key
    on optimisation_tasks (scenario_id) where status in ('queued', 'running');
create index optimisation_tasks_scenario_idx on optimisation_tasks (scenario_id, id desc);

-- inverse applied to the plan right after change gives the plan before it.
create table plan_changes (
    id bigint generated always as identity primary key,
    scenario_id bigint not null references scenarios (id) on delete cascade,
    user_id bigint,
    kind text not null,
    change jsonb not null,
    inverse jsonb not null,
    at timestamptz not null default now()
);

create index plan_changes_scenario_idx on plan_changes (scenario_id, id desc);

create trigger touch_modified before update on optimisation_tasks for each row execute function touch_modified();
