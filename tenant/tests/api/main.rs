//! The tenant service's API against a real Postgres and a real S3 server, one fresh organisation per test.

mod files;
mod fleet;
mod imports;
mod information;
mod jobs;
mod scenarios;
mod support;
mod tags;
