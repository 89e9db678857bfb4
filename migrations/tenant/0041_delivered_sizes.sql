-- What of a job's size was delivered, where it was not all: one alternative in the notation of sizes. Empty means as
-- planned; seals (0033) say the same of older proofs as before.
alter table job_proofs add column delivered_size text;
