//! The files of migrations, as they are built into this program.

use std::sync::LazyLock;

use sqlx::migrate::Migrator;

/// The schema `control`.
pub(crate) static CONTROL: LazyLock<Migrator> =
    LazyLock::new(|| prepared(sqlx::migrate!("../../migrations/control")));
/// An organisation's schema.
pub(crate) static TENANT: LazyLock<Migrator> =
    LazyLock::new(|| prepared(sqlx::migrate!("../../migrations/tenant")));

fn prepared(mut migrator: Migrator) -> Migrator {
    // Its own lock is one per database; ours is one per schema.
    migrator.set_locking(false);
    // A schema may be ahead of this program: releases are rolled back, schemas are not.
    migrator.set_ignore_missing(true);
    migrator
}
