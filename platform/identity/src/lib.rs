//! Who is calling and what they may do: tokens, passwords, casbin policies per organisation, capability links, and the
//! [`Caller`] that only this crate can make.

pub mod authorise;
pub mod caller;
pub mod link;
pub mod password;
pub mod policies;
pub mod policy;
pub mod token;

pub use authorise::Gate;
pub use caller::{Caller, CameBy, Signed};
pub use link::LinkKeys;
pub use policies::Policies;
pub use policy::{Policy, SUSPENDED, suspended};
pub use token::Tokens;
