//! Routewright.
