//! Small machines for unit tests.

use super::{BddFsm, FsmConfig};
use crate::base::CancelToken;
use crate::model::FlatModel;
use std::rc::Rc;

/// The machine of a model that has one, under the default choices.
pub fn machine(model: &Rc<FlatModel>) -> BddFsm {
    BddFsm::build(model, &FsmConfig::default(), None, CancelToken::default())
        .expect("the model has a machine")
}
