//! Who depends on whom: checks on assignments, cones of influence.

pub mod assignments;
pub mod coi;
