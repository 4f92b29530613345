//! Time, cancellation and execution: the clock, Stop, and the interface of the executor of methods.

pub mod clock;
pub mod executor;
pub mod run_until;
pub mod stop;
