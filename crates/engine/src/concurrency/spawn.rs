//! Where the methods of a provider run.

use std::fmt;
use std::pin::Pin;

use tokio::runtime::Handle;
use tracing::instrument::WithSubscriber as _;

/// A method of the provider, with all that is done with its outcome.
pub type Method = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs the methods of a provider.
pub trait Spawn: Send + Sync {
    /// Starts the method and returns at once. A method that blocks its thread must delay neither the caller nor other
    /// methods.
    fn spawn(&self, method: Method);

    /// The runtime of deadlines and grace periods.
    fn timers(&self) -> &Handle;
}

impl fmt::Debug for dyn Spawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spawn")
    }
}

/// Starts the method on the executor, or without one on a blocking thread of the caller's runtime: for engines that no
/// server drives, as in tests.
pub fn spawn(executor: Option<&dyn Spawn>, method: Method) {
    match executor {
        Some(executor) => executor.spawn(method),
        None => {
            let runtime = Handle::current();
            // Tests look at the log of their own threads.
            let method = method.with_current_subscriber();
            drop(tokio::task::spawn_blocking(move || runtime.block_on(method)));
        }
    }
}
