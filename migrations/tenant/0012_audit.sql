-- Records that outlive their subjects: no foreign keys.

-- reason: the scenario reason chosen for a change after dispatch, by name.
create table audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    user_id bigint,
    subject text not null,
    subject_id bigint,
    field text,
    old jsonb,
    new jsonb,
    reason text,
    request_id text
);

create index audit_log_subject_idx on audit_log (subject, subject_id, at desc);
create index audit_log_at_idx on audit_log (at desc);

-- What sockets were told, so that a client that was away can catch up.
create table events (
    id bigint generated always as identity primary key,
    scenario_id bigint not null,
    namespace text not null,
    name text not null,
    payload jsonb not null default '{}',
    created timestamptz not null default now(),
    constraint events_namespace_check check (namespace in ('/tracking', '/optimisation'))
);

create index events_scenario_idx on events (scenario_id, id);
create index events_created_idx on events (created);

-- user_id for signed-in users, run_id for run sheets; response_status null = still being answered.
create table idempotency_keys (
    id bigint generated always as identity primary key,
    key text not null,
    user_id bigint,
    run_id bigint,
    route text not null,
    response_status integer,
    response jsonb,
    created timestamptz not null default now(),
    constraint idempotency_keys_key_check check (length(key) between 1 and 200),
    constraint idempotency_keys_key_key unique nulls not distinct (key, user_id, run_id, route)
);

create index idempotency_keys_created_idx on idempotency_keys (created);
