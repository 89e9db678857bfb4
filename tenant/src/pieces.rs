//! Pieces of work that this program does in a process of its own, because a library that is given what came from outside may break
//! off the whole of it.

use std::process::ExitCode;

use routewright_governor::{Call, Piece as _};

use crate::orders::imports::ReadTable;
use crate::setup::files::{AcceptUpload, ReducePicture};

/// Does the piece of work that this process was called for and tells how it is to end; to be asked in `main` before anything else.
/// None when it was called for something else.
#[must_use]
pub fn called() -> Option<ExitCode> {
    let call = Call::of_process()?;
    Some(match call.name() {
        ReadTable::NAME => call.answer::<ReadTable>(),
        AcceptUpload::NAME => call.answer::<AcceptUpload>(),
        ReducePicture::NAME => call.answer::<ReducePicture>(),
        _ => ExitCode::FAILURE,
    })
}
