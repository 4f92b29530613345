//! Whole configurations, in process and with the installed CLIs.

mod checks;
mod configurations;
mod diagnostics;
mod failures;
mod kinds;
mod lifecycle;

mod notes;
mod plans;
