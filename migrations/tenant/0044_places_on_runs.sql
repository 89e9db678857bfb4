-- No two jobs of a run have one place, as before, but as an exclusion: the columns of a unique index count as a key, so a job that
-- changed its place waited for everybody who had just written a row that refers to it, and could wait in a circle with him.
alter table jobs
    drop constraint jobs_seq_key,
    add constraint jobs_seq_key exclude using btree (run_id with =, seq with =) deferrable initially deferred;
