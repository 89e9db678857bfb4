-- How a session was begun: who signed in at a provider a moment ago need not give a password that he may not have.
alter table refresh_families
    add column method text not null default 'password',
    add constraint refresh_families_method_check check (method in ('password', 'provider'));

-- New addresses that wait to be confirmed from a link sent to them. Tokens are stored only as hashes.
create table email_changes (
    token_hash bytea primary key,
    user_id bigint not null references users (id) on delete cascade,
    email text not null,
    expires_at timestamptz not null,
    created timestamptz not null default now(),
    constraint email_changes_user_key unique (user_id),
    constraint email_changes_email_check check (email ~ '^[^@\s]+@[^@\s]+$' and length(email) <= 320)
);
