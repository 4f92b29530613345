//! Time and cancellation: the clock, Stop, and the interface of the executor that runs methods.

pub mod clock;
pub mod executor;
pub mod run_until;
pub mod stop;
