//! What customers are told by mail: where to follow their delivery, that it is on its way, what became of it.

mod letter;
mod pin;
mod range;
mod tell;

pub(crate) use pin::compare as compare_pin;
pub(crate) use range::{Range, eta_range};
pub(crate) use tell::{Delivery, Occasion, delivery, link, tell, tell_all};
