-- Rows that concern an organisation are copied into its own trail: handed_at says since when they are there.
alter table platform_audit add column handed_at timestamptz;

create index platform_audit_to_hand_idx on platform_audit (id) where handed_at is null and organisation_id is not null;

-- Operators inside organisations. until_at: when the last token for it expires, by which the visit ends by itself.
create table operator_visits (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id),
    organisation_id bigint not null references organisations (id),
    entered_at timestamptz not null,
    until_at timestamptz not null,
    left_at timestamptz
);

create unique index operator_visits_open_key on operator_visits (user_id, organisation_id) where left_at is null;
create index operator_visits_until_idx on operator_visits (until_at) where left_at is null;
create index operator_visits_organisation_idx on operator_visits (organisation_id);
