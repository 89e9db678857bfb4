-- Who changed what on the platform. No foreign keys: the record outlives its subjects.

create table platform_audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    user_id bigint,
    organisation_id bigint,
    action text not null,
    subject text not null,
    old jsonb,
    new jsonb,
    request_id text
);

create index platform_audit_organisation_idx on platform_audit (organisation_id, at desc);
create index platform_audit_user_idx on platform_audit (user_id, at desc);
create index platform_audit_at_idx on platform_audit (at desc);
