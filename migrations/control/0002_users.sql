-- Roles, users, their passwords and the rules for passwords.

create table roles (
    id bigint generated always as identity primary key,
    organisation_id bigint not null references organisations (id) on delete cascade,
    name text not null,
    access_levels text[] not null default '{}',
    built_in boolean not null default false,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint roles_name_check check (name ~ '\S' and length(name) <= 100),
    constraint roles_name_key unique (organisation_id, name),
    constraint roles_organisation_id_key unique (organisation_id, id)
);

create trigger touch_modified before update on roles
    for each row execute function touch_modified();

create table users (
    id bigint generated always as identity primary key,
    organisation_id bigint not null references organisations (id) on delete cascade,
    role_id bigint not null,
    haulier_id bigint,
    email text not null,
    password_hash text,
    first_name text,
    last_name text,
    phone_number text,
    personal_data_consent boolean not null default false,
    active_scenario bigint,
    last_login timestamptz,
    session_epoch integer not null default 0,
    password_changed_at timestamptz,
    deleted_at timestamptz,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint users_email_check check (email ~ '^[^@\s]+@[^@\s]+$' and length(email) <= 320),
    constraint users_session_epoch_check check (session_epoch >= 0),
    constraint users_role_id_fkey foreign key (organisation_id, role_id)
        references roles (organisation_id, id),
    constraint users_haulier_id_fkey foreign key (organisation_id, haulier_id)
        references organisations (parent_organisation_id, id)
);

create unique index users_email_key on users (lower(email)) where deleted_at is null;
create index users_organisation_idx on users (organisation_id, id);
create index users_role_idx on users (role_id);
create index users_haulier_idx on users (haulier_id) where haulier_id is not null;

create trigger touch_modified before update on users
    for each row execute function touch_modified();

create table user_password_history (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    password_hash text not null,
    created timestamptz not null default now()
);

create index user_password_history_user_idx on user_password_history (user_id, created desc);

create table password_policies (
    id bigint generated always as identity primary key,
    organisation_id bigint not null references organisations (id) on delete cascade,
    min_length integer not null default 8,
    require_uppercase boolean not null default false,
    require_lowercase boolean not null default false,
    require_digit boolean not null default false,
    require_special boolean not null default false,
    history integer not null default 0,
    max_age_days integer,
    lockout_attempts integer not null default 10,
    lockout_minutes integer not null default 15,
    created timestamptz not null default now(),
    modified timestamptz not null default now(),
    constraint password_policies_organisation_key unique (organisation_id),
    constraint password_policies_min_length_check check (min_length between 1 and 128),
    constraint password_policies_history_check check (history between 0 and 50),
    constraint password_policies_max_age_days_check check (max_age_days > 0),
    constraint password_policies_lockout_attempts_check check (lockout_attempts > 0),
    constraint password_policies_lockout_minutes_check check (lockout_minutes > 0)
);

create trigger touch_modified before update on password_policies
    for each row execute function touch_modified();
