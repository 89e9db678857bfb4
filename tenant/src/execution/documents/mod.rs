//! Documents of runs and jobs: run sheets as PDF and Excel manifest, proofs of delivery as PDF. What they show is read
//! here; `routewright-documents` draws it.

mod letterhead;
mod proof_of_delivery;
mod proof_requests;
mod run_sheets;
mod sheet_requests;

pub(crate) use letterhead::heading;
pub(crate) use proof_requests::one;
pub(crate) use run_sheets::{link, run_sheets};

use routewright_core::{Access, Error, Result, Routes};
use routewright_documents::DocumentError;
use routewright_governor::Kind;
use routewright_identity::Caller;

use crate::app::App;

const RUNS: Access = Access::levels(&["runs_read"]);
const MANIFEST: Access = Access::levels(&["runs_read", "excel_export"]);
const PROOFS: Access = Access::levels(&["pod_pdf_export"]);

/// Media type of PDF.
pub(crate) const PDF: &str = "application/pdf";
/// Media type of Excel workbooks.
pub(crate) const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/runs/{id}/runsheet_pdf", RUNS, sheet_requests::run_pdf)
        .get("/scenarios/{id}/runsheets_pdf", RUNS, sheet_requests::scenario_pdf)
        .get("/scenarios/{id}/runsheets_excel", MANIFEST, sheet_requests::scenario_excel)
        .get("/pod_pdfs/jobs/{id}", PROOFS, proof_requests::by_office)
        .get("/pod_pdfs/jobs", PROOFS, proof_requests::many)
        .get("/runsheet/jobs/{id}/proof_of_delivery_pdf", PROOFS.or_runsheet(), proof_requests::by_driver)
}

/// Draws a document when it is the organisation's turn, where that does not keep other requests waiting.
///
/// # Errors
/// 404 when there is nothing to print; 503 when too much is drawn at once.
pub(crate) async fn draw<T: Send + 'static>(
    app: &App,
    caller: &Caller,
    work: impl FnOnce() -> routewright_documents::Result<T> + Send + 'static,
) -> Result<T> {
    app.governor.run(caller.share()?, Kind::Render, |_| work().map_err(refusal)).await
}

fn refusal(error: DocumentError) -> Error {
    match error {
        DocumentError::Nothing(what) => {
            Error::new(routewright_core::Kind::NotFound, format!("There is nothing to print: {what}"))
        }
        other => Error::internal(other),
    }
}
