//! The tenant service's API against a real Postgres and a real S3 server, one fresh organisation per test.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what a test stands on is said where it is missing"
)]

mod bad_input;
mod bad_values;
mod bulk_upload;
mod callers;
mod changes;
mod closed_plans;
mod compact;
mod connections;
mod diagnosis;
mod dispatch;
mod documents;
mod eta;
mod execution;
mod exports;
mod fields;
mod files;
mod filing;
mod fleet;
mod gateway;
mod guesses;
mod imports;
mod information;
mod isolation;
mod items;
mod jobs;
mod linked_jobs;
mod location_options;
mod moves;
mod optimise;
mod outages;
mod own_login;
mod partners;
mod pool_imports;
mod proofs;
mod read_files;
mod realtime;
mod resource_pattern;
mod retiming;
mod runs;
mod runsheet;
mod scenario_copies;
mod scenarios;
mod search;
mod settings_nouns;
mod stale_writes;
mod statements;
mod support;
mod tags;
mod territories;
mod tracking;
mod udf;
mod validation;
mod whole_jobs;
mod worker;
