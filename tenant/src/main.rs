//! The tenant service as a program of its own.

fn main() {}
