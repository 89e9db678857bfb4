-- A user at an address with which somebody of another organisation signs in waits for it: who invites is not told whose it is.
-- One user signs in with an address; within an organisation an address is there once.
alter table users add column awaits_address boolean not null default false;
drop index users_email_key;
create unique index users_email_key on users (lower(email)) where deleted_at is null and not awaits_address;
create unique index users_email_here_key on users (organisation_id, lower(email)) where deleted_at is null;
