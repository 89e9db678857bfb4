//! The tenant service's API against a real Postgres and a real S3 server, one fresh organisation per test.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what a test stands on is said where it is missing"
)]

mod addresses;
mod bad_input;
mod bad_values;
mod bills;
mod bin;
mod bulk_upload;
mod callers;
mod changes;
mod closed_plans;
mod compact;
mod connections;
mod contact;
mod devices;
mod diagnosis;
mod dispatch;
mod documents;
mod eta;
mod evidence;
mod execution;
mod exports;
mod fields;
mod files;
mod filing;
mod fleet;
mod gateway;
mod guesses;
mod hours;
mod imports;
mod information;
mod isolation;
mod items;
mod jobs;
mod kpi;
mod limits;
mod linked_jobs;
mod location_options;
mod lost_processes;
mod moves;
mod optimise;
mod outages;
mod own_login;
mod partners;
mod pieces;
mod pool_imports;
mod proof_demands;
mod proofs;
mod read_files;
mod realtime;
mod rehearsal;
mod resource_pattern;
mod retiming;
mod run_costs;
mod runs;
mod runsheet;
mod scenario_copies;
mod scenarios;
mod seals;
mod search;
mod settings_nouns;
mod slots;
mod stale_writes;
mod statements;
mod streets;
mod support;
mod suspension;
mod tags;
mod territories;
mod tracking;
mod tracking_links;
mod trail;
mod udf;
mod undo;
mod validation;
mod what_if;
mod whole_jobs;
mod wishes;
mod worker;
