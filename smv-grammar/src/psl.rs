//! Source tree of PSL properties (the part of PSL that NuSMV 2.6.0 reads).

/// A PSL formula in a [`PslArena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PslId(pub u32);

/// Formulas of all PSLSPECs of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PslArena {}
