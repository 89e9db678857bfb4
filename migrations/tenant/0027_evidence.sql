-- What drivers' phones reported, each record as it came, once. What could not be stored with a job waits for the office.

-- Which jobs a run sheet has shown: its driver may report on them wherever they are now. Without references, because
-- runs and jobs may be gone when the report comes.
create table runsheet_jobs (
    run_id bigint not null,
    job_id bigint not null,
    shown_at timestamptz not null default now(),
    primary key (run_id, job_id)
);

-- Sheets whose run was deleted after its driver had it: their phones may still hold reports.
create table ended_runsheets (
    run_id bigint primary key,
    token text not null,
    uid text not null,
    deleted_at timestamptz not null default now(),
    constraint ended_runsheets_token_key unique (token)
);

-- sheet_id: the run whose sheet it was, also when that is gone. captured_at and sent_at: by the phone's clock;
-- clock_skew: seconds that the server's clock was ahead of it.
create table evidence (
    id bigint generated always as identity primary key,
    uid uuid not null,
    sheet_id bigint not null,
    run_id bigint references runs (id) on delete set null,
    run_uid text not null,
    kind text not null,
    job_id bigint references jobs (id) on delete set null,
    job_uid text,
    content jsonb not null,
    photo_ids bigint[] not null default '{}',
    signature_id bigint references files (id),
    captured_at timestamptz not null,
    sent_at timestamptz,
    received_at timestamptz not null,
    clock_skew double precision,
    state text not null,
    problem text,
    decided_by bigint,
    decided_at timestamptz,
    decision text,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint evidence_uid_key unique (sheet_id, uid),
    constraint evidence_kind_check check (kind in ('start', 'stop', 'end', 'note')),
    constraint evidence_state_check check (state in ('filed', 'moved', 'open', 'assigned', 'dismissed'))
);

create index evidence_run_idx on evidence (run_id) where run_id is not null;
create index evidence_job_idx on evidence (job_id) where job_id is not null;
create index evidence_undecided_idx on evidence (id) where state in ('open', 'moved');

create trigger touch_modified before update on evidence for each row execute function touch_modified();

create function runs_ended() returns trigger
    language plpgsql
as $$
begin
    insert into ended_runsheets (run_id, token, uid)
    select o.id, o.token, o.uid from old_rows o
    where o.dispatched_at is not null or exists (select from runsheet_jobs s where s.run_id = o.id)
    on conflict do nothing;
    return null;
end
$$;

create trigger runs_ended after delete on runs
    referencing old table as old_rows for each statement execute function runs_ended();
