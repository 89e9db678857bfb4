//! What is to be delivered: jobs, the items that hang on them, and how both come in.
//! Stands on `plan` and `fleet`: a job that changes re-times its run.

pub(crate) mod addresses;
pub(crate) mod bulk_upload;
pub(crate) mod containers;
pub(crate) mod customers;
pub(crate) mod imports;
pub(crate) mod items;
pub(crate) mod jobs;
pub(crate) mod labels;
pub(crate) mod proof_columns;
pub(crate) mod returns;
pub(crate) mod tutorial;
pub(crate) mod units;
pub(crate) mod whole_jobs;
