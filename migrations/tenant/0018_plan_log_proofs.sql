-- Units and returns show what was recorded of them: a correction of it, and what is taken back, is a step of the plan too.

create trigger unit_proofs_updated after update on unit_proofs
    referencing old table as old_rows new table as new_rows for each statement execute function job_parts_touched('items');
create trigger return_proofs_updated after update on return_proofs
    referencing old table as old_rows new table as new_rows for each statement execute function job_parts_touched('items');
create trigger container_proofs_updated after update on container_proofs
    referencing old table as old_rows new table as new_rows for each statement execute function job_parts_touched('items');
create trigger container_proofs_deleted after delete on container_proofs
    referencing old table as old_rows for each statement execute function job_parts_touched('items');
