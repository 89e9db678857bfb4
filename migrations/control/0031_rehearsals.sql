-- Organisations in which people rehearse: nothing in them is real, they live on their own time, and nothing leaves them.
-- made_from: whose people rehearse. begins: the first simulated moment. The time: origin at the real moment began, and from there speed seconds in a real one,
-- never past ends; it stands while paused, and until their day was planned (started_at). removing: on the way out.
create table rehearsals (
    organisation_id bigint primary key references organisations (id) on delete cascade,
    made_from bigint not null references organisations (id),
    made_by bigint references users (id) on delete set null,
    seed bigint not null,
    begins timestamptz not null,
    speed smallint not null,
    paused boolean not null default false,
    began timestamptz not null,
    origin timestamptz not null,
    ends timestamptz not null,
    started_at timestamptz,
    failure text,
    remove_at timestamptz not null,
    removing boolean not null default false,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint rehearsals_speed_check check (speed between 1 and 60),
    constraint rehearsals_ends_check check (ends >= origin),
    constraint rehearsals_made_from_check check (made_from <> organisation_id)
);

-- One at a time.
create unique index rehearsals_made_from_key on rehearsals (made_from) where not removing;
create index rehearsals_made_by_idx on rehearsals (made_by);
create index rehearsals_remove_at_idx on rehearsals (remove_at);

create trigger touch_modified before update on rehearsals
    for each row execute function touch_modified();
