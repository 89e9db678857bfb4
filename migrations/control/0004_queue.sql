-- Work to be done later and mail to be sent, for the platform itself.

create table background_jobs (
    id bigint generated always as identity primary key,
    organisation_id bigint references organisations (id) on delete cascade,
    kind text not null,
    payload jsonb not null default '{}',
    state text not null default 'queued',
    run_at timestamptz not null default now(),
    attempts integer not null default 0,
    max_attempts integer not null default 5,
    locked_by text,
    locked_until timestamptz,
    last_error text,
    progress integer not null default 0,
    unique_key text,
    finished timestamptz,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint background_jobs_state_check check (state in ('queued', 'running', 'done', 'dead')),
    constraint background_jobs_attempts_check check (attempts >= 0),
    constraint background_jobs_max_attempts_check check (max_attempts > 0),
    constraint background_jobs_progress_check check (progress between 0 and 100)
);

create unique index background_jobs_unique_key_key
    on background_jobs (unique_key) where state in ('queued', 'running');
create index background_jobs_queued_idx on background_jobs (run_at, id) where state = 'queued';
create index background_jobs_running_idx on background_jobs (locked_until) where state = 'running';
create index background_jobs_finished_idx on background_jobs (finished) where finished is not null;

create trigger touch_modified before update on background_jobs
    for each row execute function touch_modified();

-- Outbox. intent names what is being said to whom, so that a repeated request sends once;
-- message_id is the identifier given by the mail server or SMS gateway.
create table messages (
    id bigint generated always as identity primary key,
    intent text not null,
    channel text not null,
    recipients text[] not null,
    subject text,
    body_text text not null default '',
    body_html text,
    attachments jsonb not null default '[]',
    state text not null default 'pending',
    attempts integer not null default 0,
    error text,
    sent_at timestamptz,
    message_id text,
    organisation_id bigint references organisations (id) on delete cascade,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint messages_intent_key unique (intent),
    constraint messages_channel_check check (channel in ('email', 'sms')),
    constraint messages_recipients_check check (cardinality(recipients) > 0),
    constraint messages_attachments_check check (jsonb_typeof(attachments) = 'array'),
    constraint messages_state_check check (state in ('pending', 'sending', 'sent', 'failed')),
    constraint messages_attempts_check check (attempts >= 0)
);

create index messages_pending_idx on messages (id) where state in ('pending', 'sending');

create trigger touch_modified before update on messages
    for each row execute function touch_modified();
