-- What a rehearsal knows of its own day; without rows in an organisation in earnest. Plans and runs are named without a
-- reference: what the bin keeps of them is theirs alone.

-- How far the planning of the day is, and who drives it. step: in words. held_by: the process whose turn it is, until held_until.
create table rehearsal (
    one boolean primary key default true,
    step text not null,
    scenario_id bigint,
    ready_at timestamptz,
    failure text,
    held_by text,
    held_until timestamptz,
    modified timestamptz not null default now(),
    constraint rehearsal_one_check check (one)
);

create trigger touch_modified before update on rehearsal for each row execute function touch_modified();

-- Simulated drivers: where each is in its day.
create table rehearsal_drivers (
    run_id bigint primary key,
    state jsonb not null
);

-- What they do, in simulated time: happened_at, and sent_at, which is later while the phone is silent. Each is done once:
-- key names it, whoever does it. files: pictures that are uploaded already. answer: what was refused.
create table rehearsal_acts (
    id bigint generated always as identity primary key,
    key uuid not null,
    run_id bigint not null references rehearsal_drivers (run_id) on delete cascade,
    happened_at timestamptz not null,
    sent_at timestamptz not null,
    deed jsonb not null,
    files jsonb,
    done_at timestamptz,
    answer text,
    constraint rehearsal_acts_key_key unique (key)
);

create index rehearsal_acts_open_idx on rehearsal_acts (sent_at, id) where done_at is null;
create index rehearsal_acts_run_idx on rehearsal_acts (run_id);

-- What would have left a rehearsal is kept as what it is: written and not sent. Calls of web hooks and files for partners are kept
-- among the messages as well.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check
    check (state in ('pending', 'sending', 'sent', 'failed', 'unknown', 'rehearsal'));
alter table messages drop constraint messages_channel_check;
alter table messages add constraint messages_channel_check
    check (channel in ('email', 'sms') or (channel in ('webhook', 'partner') and state = 'rehearsal'));
alter table udf_runs drop constraint udf_runs_status_check;
alter table udf_runs add constraint udf_runs_status_check check (status in ('pending', 'done', 'failed', 'rehearsal'));
alter table partner_messages drop constraint partner_messages_state_check;
alter table partner_messages add constraint partner_messages_state_check
    check (state in ('pending', 'sending', 'sent', 'failed', 'rehearsal'));
