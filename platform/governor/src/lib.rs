//! The one place through which heavy work passes: reading files, decoding pictures, drawing documents, exporting, hashing.
//! It runs on a bounded pool of threads of lower priority than those that answer requests, in turns between organisations,
//! with a budget of time and memory for each piece of work, and all of it together keeps one processor free ([`Seats`]). A full
//! queue refuses with 503 and `Retry-After`; work whose caller has left is not begun, or ends when it next looks at its [`Budget`].
//! What a library could break off with the whole process is a [`Piece`] for a process of its own. Work that runs for minutes and
//! has budgets of its own, such as a search for plans, takes [`Turns`] of the same kind beside the pool. Answers themselves take
//! their steps in turn where an organisation asks for much ([`Steps`]), what is sent has room for so many
//! bytes ([`Intake`]), and requests follow one another no faster than leaves others their share ([`Pace`]).
//!
//! ```no_run
//! # use routewright_governor::{Governor, Kind};
//! # async fn example(governor: Governor, organisation: routewright_core::OrganisationId) -> routewright_core::Result<()> {
//! let sum = governor
//!     .run(organisation, Kind::Read, |budget| {
//!         let mut sum = 0_u64;
//!         for row in 0..10_000 {
//!             budget.check()?;
//!             sum += row;
//!         }
//!         Ok(sum)
//!     })
//!     .await?;
//! # assert!(sum > 0);
//! # Ok(())
//! # }
//! ```

mod budget;
mod fair;
mod governor;
mod intake;
mod kind;
mod lately;
mod line;
mod pace;
mod piece;
mod seats;
mod share;
mod turns;

pub use budget::Budget;
pub use fair::{Fair, Steps};
pub use governor::Governor;
pub use intake::{Intake, Room};
pub use kind::{Kind, Task};
pub use line::Sizes;
pub use pace::{Pace, Payer};
pub use piece::{Call, Piece, own_program};
pub use routewright_core::apart as priority;
pub use seats::{Seat, Seats};
pub use share::Share;
pub use turns::{Busy, Turn, Turns};
