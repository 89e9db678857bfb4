-- What a marked submit asked for, as a SHA-256 value: the same key with other values is refused.
alter table idempotency_keys add column asked bytea;
