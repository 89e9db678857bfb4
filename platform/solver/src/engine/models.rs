//! The compiled problem of a search.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};

use super::guard::REPORT_EVERY;
use crate::keep;
use crate::model::Model;
use crate::problem::{Problem, ProblemError};

/// The problem as it is searched, and as its plan is judged in the end: not the same where work stays on runs that it breaks
/// rules on.
#[derive(Clone)]
pub(super) struct Models {
    pub(super) searched: Arc<Model>,
    pub(super) judged: Arc<Model>,
}

impl Models {
    fn new(problem: &Problem) -> Result<Self, ProblemError> {
        let judged = Arc::new(Model::new(problem)?);
        let searched = keep::eased(problem, &judged)?.map_or_else(|| Arc::clone(&judged), Arc::new);
        Ok(Self { searched, judged })
    }
}

/// Compiles the problem beside the reports: with thousands of stops it takes longer than the silence between two of them may.
pub(super) fn compiled(problem: &Problem, report: &mut dyn FnMut()) -> Result<Models, ProblemError> {
    std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        let compiling = scope.spawn(move || {
            let models = Models::new(problem);
            drop(done);
            models
        });
        while is_done.recv_timeout(REPORT_EVERY) == Err(RecvTimeoutError::Timeout) {
            report();
        }
        compiling.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
