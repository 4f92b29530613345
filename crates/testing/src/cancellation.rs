//! Cancellation of the operations of the provider, as by Ctrl-C.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use ferroform_engine::ProviderServer;

use crate::Harness;

impl Harness {
    /// Cancels the operations of the provider once, as Ctrl-C does, when it logs a line that contains `text`.
    ///
    /// Ferroform logs [`CHECKPOINT`](crate::CHECKPOINT) whenever a method records a checkpoint.
    pub fn stop_at(&self, text: impl Into<String>) {
        let (text, server) = (text.into(), Arc::downgrade(&self.shared.server));
        let stopped = AtomicBool::new(false);
        self.shared.log.watch(Some(Box::new(move |line| {
            if line.contains(&text)
                && !stopped.swap(true, Ordering::Relaxed)
                && let Some(server) = server.upgrade()
            {
                server.stop();
            }
        })));
    }

    /// Cancels the operations of the provider now, as Ctrl-C does. Call it from another thread while a step runs.
    pub fn stop(&self) {
        self.server().stop();
    }

    /// Cancels the operations of the provider once, as Ctrl-C does, when this much time has passed on the
    /// [clock](Harness::clock): for a method that waits without logging a line. On a test clock, only the waits of methods take time.
    ///
    /// ```no_run
    /// # fn example(harness: ferroform_testing::Harness) {
    /// use std::time::Duration;
    /// use ferroform_testing::config;
    ///
    /// harness.stop_after(Duration::from_secs(30));
    /// let errors = harness.resource("cloud_disk").try_apply(config! { name = "a" }).error();
    /// assert!(errors.iter().any(|it| it.is_cancellation()));
    /// assert_eq!(harness.clock().elapsed(), Duration::from_secs(30));
    /// # }
    /// ```
    pub fn stop_after(&self, duration: Duration) {
        let Some(runtime) = &self.shared.runtime else { unreachable!("the runtime exists until the drop") };
        let (clock, server) = (self.clock().clone(), Arc::downgrade(&self.shared.server));
        let is_stopped = Arc::new(AtomicBool::new(false));
        let mut wait = Box::pin(async move { clock.wait_until(clock.now() + duration).await });
        let mut poll = move |context: &mut Context<'_>| {
            let task = context.waker().clone();
            let stop = StopOnWake { server: server.clone(), is_stopped: is_stopped.clone(), task };
            wait.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::new(stop))))
        };
        // The clock knows the wait before a method sleeps.
        if runtime.block_on(poll_fn(|context| Poll::Ready(poll(context)))).is_pending() {
            runtime.spawn(poll_fn(poll));
        }
    }
}

/// Cancels the operations of the provider when it is woken. The clock wakes it while it advances, so that the sleep of a method ends at
/// this time, even if the threads of the harness are busy.
struct StopOnWake {
    server: Weak<ProviderServer>,
    is_stopped: Arc<AtomicBool>,
    task: Waker,
}

impl Wake for StopOnWake {
    fn wake(self: Arc<Self>) {
        if !self.is_stopped.swap(true, Ordering::Relaxed)
            && let Some(server) = self.server.upgrade()
        {
            server.stop();
        }
        self.task.wake_by_ref();
    }
}
