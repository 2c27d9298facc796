//! The flat model as decision diagrams.
//!
//! `FlatModel` → [`layout`] (variables ↔ bits; [`order`] and `groups` put them in order) → [`expr`] (expressions →
//! diagrams; [`values`] terminals, [`words`] operators, `wide` long constraints) → [`fsm::BddFsm`] (initial states,
//! invariant, relation, fairness) with [`trans`] (clusters of [`cluster`], image and preimage).
//!
//! Of a machine that is there: `states` picks single states, `enumerate` lists all, `narrow` makes the machine of a
//! cone, [`product`] puts an observer beside it, `events` and `moves` see its relation as local steps.
//!
//! Deliberately absent: fixpoints (module `engine`).

pub mod cluster;
mod enumerate;
pub mod error;
mod events;
pub mod expr;
mod force;
pub mod fsm;
mod groups;
mod hypergraph;
pub mod layout;
mod moves;
mod narrow;
pub mod order;
pub mod product;
mod states;
#[cfg(test)]
pub(crate) mod testing;
pub mod trans;
pub mod values;
mod wide;
pub mod words;

pub use cluster::{Clustering, Partition, Weights};
pub use error::EncodeError;
pub use events::Event;
pub use expr::Diagram;
pub use fsm::{BddFsm, FsmConfig};
pub use layout::{Layout, OrderName};
pub use moves::Moves;
pub use order::{Inputs, OrderType, StaticOrder};
pub use product::{ExtraBit, Observer};
pub use trans::TransRel;
