-- Keys of marked submits: what was submitted once is done once. As in the organisations' own schemas, which have the run of a
-- run sheet besides; asked tells nothing to a reader who lacks the deployment's key, for passwords are submitted too.
create table idempotency_keys (
    id bigint generated always as identity primary key,
    key text not null,
    user_id bigint,
    run_id bigint,
    route text not null,
    asked bytea,
    response_status integer,
    response jsonb,
    created timestamptz not null default now(),
    constraint idempotency_keys_key_check check (length(key) between 1 and 200),
    constraint idempotency_keys_key_key unique nulls not distinct (key, user_id, run_id, route)
);

create index idempotency_keys_created_idx on idempotency_keys (created);
