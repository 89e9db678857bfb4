-- What the phone of a run's driver said last, and which stops he knows of. waiting: records that are still on the phone;
-- seen: stops that the driver has seen and, after a change of the office, confirmed; told: stops that he was told of last,
-- under the number that his confirmation names.
create table run_contacts (
    run_id bigint primary key references runs (id) on delete cascade,
    last_at timestamptz not null,
    waiting integer not null default 0,
    seen jsonb,
    told jsonb,
    told_number integer not null default 0,
    confirmed_at timestamptz,
    constraint run_contacts_waiting_check check (waiting >= 0)
);
