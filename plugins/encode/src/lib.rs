//! Encodes the core module of a hook as a component and checks it.

pub mod component;
