//! Whole configurations, in process and with the installed CLIs.

mod checks;
mod configurations;
mod diagnostics;
mod lifecycle;
mod notes;
