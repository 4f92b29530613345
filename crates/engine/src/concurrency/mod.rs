//! Time and cancellation: the clock, Stop, and the interface of the executor that runs methods.

pub mod clock;
pub mod race;
pub mod spawn;
pub mod stop;
