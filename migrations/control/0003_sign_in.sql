-- Sessions, failed attempts, limits, reset links and sign-in through an identity provider.
-- Tokens are stored only as hashes.

create table refresh_families (
    id uuid primary key default gen_random_uuid(),
    user_id bigint not null references users (id) on delete cascade,
    remember_me boolean not null default false,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    reason text,
    created timestamptz not null default now()
);

create index refresh_families_user_idx on refresh_families (user_id) where revoked_at is null;
create index refresh_families_expires_idx on refresh_families (expires_at);

create table refresh_tokens (
    token_hash bytea primary key,
    family_id uuid not null references refresh_families (id) on delete cascade,
    used_at timestamptz,
    expires_at timestamptz not null,
    successor_hash bytea,
    created timestamptz not null default now()
);

create index refresh_tokens_family_idx on refresh_tokens (family_id);

create table login_attempts (
    id bigint generated always as identity primary key,
    email_hash bytea not null,
    ip_hash bytea,
    attempted_at timestamptz not null default now(),
    success boolean not null
);

create index login_attempts_email_idx on login_attempts (email_hash, attempted_at desc);
create index login_attempts_ip_idx on login_attempts (ip_hash, attempted_at desc);
create index login_attempts_attempted_at_idx on login_attempts (attempted_at);

-- Kept here so that limits hold across restarts and replicas.
create table rate_limits (
    bucket text not null,
    key text not null,
    window_start timestamptz not null,
    count integer not null default 0,
    primary key (bucket, key, window_start),
    constraint rate_limits_count_check check (count >= 0)
);

create index rate_limits_window_idx on rate_limits (window_start);

create table reset_tokens (
    token_hash bytea primary key,
    user_id bigint not null references users (id) on delete cascade,
    expires_at timestamptz not null,
    used_at timestamptz,
    created timestamptz not null default now()
);

create index reset_tokens_user_idx on reset_tokens (user_id);

create table oidc_states (
    state_hash bytea primary key,
    nonce text not null,
    pkce_verifier text not null,
    redirect_to text,
    expires_at timestamptz not null,
    created timestamptz not null default now()
);

create index oidc_states_expires_idx on oidc_states (expires_at);

create table user_identities (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    issuer text not null,
    subject text not null,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint user_identities_subject_key unique (issuer, subject)
);

create index user_identities_user_idx on user_identities (user_id);

create trigger touch_modified before update on user_identities
    for each row execute function touch_modified();
