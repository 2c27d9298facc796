//! Small questions for unit tests.

use super::{Question, Shape};
use crate::base::CancelToken;
use crate::encode::{BddFsm, FsmConfig};
use crate::engine::Checker;
use crate::engine::reach::Reach;
use crate::model::{FlatModel, Query};
use std::rc::Rc;

/// Asks the queries of a model, each on a machine of its own within its reachable states.
pub fn ask_all(model: &Rc<FlatModel>, mut with: impl FnMut(&Query, &Question)) {
    for query in &model.queries {
        let config = FsmConfig {
            fresh: query.over.clone(),
            ..FsmConfig::default()
        };
        let fsm = BddFsm::build(model, &config, None, CancelToken::default())
            .expect("the model has a machine");
        let mut reach = Reach::new(&fsm);
        reach.finish(&fsm).expect("no limits");
        let checker = Checker::new(&fsm, Some(reach)).expect("no limits");
        let question = Question {
            checker: &checker,
            formula: query.formula,
            shape: &Shape::new(model, query.formula),
            over: &query.over,
        };
        with(query, &question);
    }
}
