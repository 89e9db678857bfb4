-- How far an organisation's role, schema and first rows have come. A step that is missing here is done, or done again:
-- every step may be repeated.

create table provisioning_steps (
    organisation_id bigint not null references organisations (id) on delete cascade,
    step text not null,
    finished timestamptz not null default now(),
    primary key (organisation_id, step),
    constraint provisioning_steps_step_check
        check (step in ('role', 'schema', 'migrations', 'defaults', 'ready'))
);
