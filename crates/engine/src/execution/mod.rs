//! Running the methods of a provider: threads, cancellation, deadlines, panics and the clock.

pub mod clock;
pub mod race;
pub mod run;
pub mod stop;
pub mod threads;
