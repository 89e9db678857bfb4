-- Ends of sessions are read with an organisation's policy.
create index refresh_families_revoked_idx on refresh_families (revoked_at) where revoked_at is not null;
