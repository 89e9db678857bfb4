//! Storing the parts of a record where they belong. A part that cannot be stored does not hold up the others.

use routewright_core::{Error, Module, Result};
use routewright_identity::Caller;
use sqlx::postgres::PgConnection;

use super::model::{Record, RecordKind};
use crate::app::App;
use crate::execution::proofs::{
    self, ContainerProof, JobProof, NewRunProof, ProofFields, Proven, ReturnProof, UnitProof,
};
use crate::execution::runsheet;
use crate::planning::runs::Run;
use crate::setup::checklists;

/// What became of a record's parts.
#[derive(Debug, Default)]
pub(super) struct Filed {
    /// Something of it was stored with a job that is on another run now.
    pub(super) moved: bool,
    /// Parts that could not be stored, and why.
    pub(super) problems: Vec<String>,
}

/// Files a record: by its driver onto what his sheet showed, by the office (`run` none) wherever that may.
pub(super) struct Filing<'a> {
    pub(super) connection: &'a mut PgConnection,
    pub(super) app: &'a App,
    pub(super) caller: &'a Caller,
    /// The driver's run.
    pub(super) run: Option<i64>,
    pub(super) filed: Filed,
}

impl Filing<'_> {
    /// All proofs of a stop.
    pub(super) async fn stop(&mut self, record: &Record) -> Result<()> {
        if let Some(proof) = &record.job_proof {
            let units = record.unit_proofs.iter().filter_map(|proof| proof.unit_id).collect();
            let proof = ProofFields { job_id: record.job_id, units, ..proof.clone() };
            self.proof::<JobProof>(&proof, None).await?;
        }
        for proof in &record.unit_proofs {
            self.proof::<UnitProof>(proof, Some(Module::Units)).await?;
        }
        for proof in &record.return_proofs {
            self.proof::<ReturnProof>(proof, Some(Module::Returns)).await?;
        }
        for proof in &record.container_proofs {
            self.proof::<ContainerProof>(proof, Some(Module::Containers)).await?;
        }
        Ok(())
    }

    async fn proof<R: Proven>(&mut self, proof: &ProofFields, module: Option<Module>) -> Result<()> {
        if module.is_some_and(|module| !self.caller.has(module)) {
            self.filed.problems.push(format!("{}: the module is switched off", R::NAME));
            return Ok(());
        }
        self.enter().await?;
        let recorded = proofs::record::<R>(self.connection, self.app, self.caller, self.run, proof).await;
        if let Some(recorded) = self.leave(R::NAME, recorded).await? {
            self.filed.moved |= recorded.moved;
            if !recorded.missing.is_empty() {
                let missing: Vec<String> =
                    recorded.missing.iter().map(|part| part.replace('_', " ")).collect();
                self.filed.problems.push(format!("Stored without what is required: {}", missing.join(", ")));
            }
        }
        Ok(())
    }

    /// The start or the end of the driver's route. What the office has recorded or validated meanwhile stands.
    pub(super) async fn route(&mut self, record: &Record, run: &Run) -> Result<()> {
        let start = record.kind == RecordKind::Start;
        let proof = record.route.clone().unwrap_or_default();
        let proof = NewRunProof { mode: Some(record.kind.name().to_owned()), run_id: Some(run.id), ..proof };
        let done = if start { run.actual_start_time } else { run.actual_end_time }.is_some();
        if !done && run.validated_at.is_some() {
            self.filed.problems.push("The run was validated meanwhile".to_owned());
        } else if !done {
            self.drive(start, run, &proof, proof.odometer).await?;
        }
        self.enter().await?;
        let stored = proofs::record_run_proof(
            self.connection,
            self.app,
            self.caller,
            (run.id, self.run.is_some()),
            &proof,
        )
        .await;
        self.leave("Run proof", stored).await?;
        if let Some(answers) = &record.checklist {
            self.enter().await?;
            let submitted = checklists::submit(self.connection, self.caller, run.id, answers).await;
            self.leave("Checklist", submitted).await?;
        }
        Ok(())
    }

    /// Starts or ends the run; without the odometer if that cannot be right.
    async fn drive(
        &mut self,
        start: bool,
        run: &Run,
        proof: &NewRunProof,
        odometer: Option<f64>,
    ) -> Result<()> {
        let at = proof.record_time.map(|time| time.0);
        for odometer in [odometer, None] {
            self.enter().await?;
            let (connection, app, caller) = (&mut *self.connection, self.app, self.caller);
            let driven = if start {
                runsheet::begin(connection, app, caller, run, odometer, at).await
            } else if run.actual_start_time.is_none() {
                Err(Error::bad_request("Run has not been started"))
            } else {
                runsheet::finish(connection, app, caller, run, odometer, at).await
            };
            let what = if start { "Start" } else { "End" };
            if self.leave(what, driven).await?.is_some() || odometer.is_none() {
                break;
            }
        }
        Ok(())
    }

    async fn enter(&mut self) -> Result<()> {
        sqlx::query("savepoint part").execute(&mut *self.connection).await?;
        Ok(())
    }

    /// What was stored; a refusal is noted and its part undone.
    async fn leave<T>(&mut self, what: &str, stored: Result<T>) -> Result<Option<T>> {
        match stored {
            Ok(stored) => {
                sqlx::query("release savepoint part").execute(&mut *self.connection).await?;
                Ok(Some(stored))
            }
            Err(refusal) if refusal.kind().status().is_client_error() => {
                sqlx::query("rollback to savepoint part").execute(&mut *self.connection).await?;
                sqlx::query("release savepoint part").execute(&mut *self.connection).await?;
                self.filed.problems.push(format!("{what}: {}", refusal.description()));
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }
}
