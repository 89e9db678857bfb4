//! Services of others that this one asks: the provider of identities and the map vendor.

mod http;
mod id_token;
mod identity;
mod map;

pub(crate) use id_token::Person;
pub(crate) use identity::{Provider, Returning};
pub(crate) use map::{Gis, GisToken};
