//! CUDD behind safe types; the only module with unsafe code. (skeleton: signatures to be implemented)
