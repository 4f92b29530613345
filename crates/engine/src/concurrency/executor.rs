//! The executor of the provider's methods, which may block their threads.

use std::fmt;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tokio::runtime::Handle;
use tracing::instrument::WithSubscriber as _;

/// A method of the provider, including the delivery of its result.
pub type Method = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An executor for the methods of a provider.
pub trait MethodExecutor: Send + Sync {
    /// Starts the method and returns at once. A method that blocks its thread must delay neither the caller nor other
    /// methods.
    fn spawn(&self, method: Method);

    /// The runtime for deadlines and grace periods, which provider code cannot block.
    fn timers(&self) -> &Handle;
}

impl fmt::Debug for dyn MethodExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MethodExecutor")
    }
}

/// Starts the method on the executor. Without an executor, which is how tests use the engine, it starts on a blocking
/// thread of the caller's tokio runtime.
pub fn spawn(executor: Option<&dyn MethodExecutor>, method: Method) {
    match executor {
        Some(executor) => executor.spawn(method),
        None => {
            // Tests read the log of the thread that they run on.
            let method = method.with_current_subscriber();
            drop(tokio::task::spawn_blocking(move || block_on(method)));
        }
    }
}

/// Runs the future on this thread, in the context of the thread's runtime. `Handle::block_on` is not used, because it
/// panics inside another `Handle::block_on`, and a method may call it itself, as synchronous clients do. The plugin
/// server allows that as well.
fn block_on(future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    while future.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Pending {
        thread::park();
    }
}

/// Wakes a future by unparking its thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
