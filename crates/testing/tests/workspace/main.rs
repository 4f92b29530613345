//! Whole configurations, in process and with the installed CLIs.

#![allow(clippy::unwrap_used, reason = "test code")]

mod checks;
mod configurations;
mod diagnostics;
mod failures;
mod kinds;
mod lifecycle;

mod notes;
mod plans;
