//! Steps of the search for [`crate::measure`].

use rand::rngs::SmallRng;

use super::data::Data;
use super::state::State;
use super::{polish, ruin};
use crate::model::Model;
use crate::problem::Sequences;

/// Called with one step, which returns how much it did.
pub type Bench<'b> = &'b mut dyn FnMut(&mut dyn FnMut() -> usize);

pub(crate) fn moves(model: &Model, start: &Sequences, rng: &mut SmallRng, bench: Bench) {
    polish::measure(&Data::new(model), start, rng, |polish| bench(&mut || polish.test_all()));
}

pub(crate) fn rounds(model: &Model, start: &Sequences, rng: &mut SmallRng, bench: Bench) {
    let mut rng_of_rounds = rng.clone();
    polish::measure(&Data::new(model), start, rng, |polish| {
        bench(&mut || polish.round(&mut rng_of_rounds));
    });
}

pub(crate) fn insertions(model: &Model, start: &Sequences, rng: &mut SmallRng, bench: Bench) {
    let data = Data::new(model);
    let mut state = State::new(&data, start);
    let mut removed = Vec::new();
    state.begin();
    ruin::strings(&mut state, rng, &mut removed);
    bench(&mut || removed.iter().filter(|unit| state.find(**unit, rng).is_some()).count());
}
