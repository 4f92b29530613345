//! Where a provider's code runs: never on a thread that the host waits for.
//!
//! Each call has a thread of its own while it runs, so code that blocks (files, locks, a synchronous
//! HTTP client) holds up nothing but its call. Asynchronous code has timers, sockets and `tokio::spawn` as usual, on a
//! runtime that is started with the first call.

use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{mpsc, oneshot};
use tonic::Status;
use tonic::codegen::BoxStream;
use tonic::codegen::tokio_stream::Stream;

use super::lead::Leadership;
use ferroform_engine::execution::threads;

/// More of them only help providers that compute for long within `tokio::spawn`.
const MOST_WORKERS: usize = 4;

pub(super) struct Workers {
    leadership: Arc<Leadership>,
    runtime: Mutex<Option<Runtime>>,
}

impl Workers {
    pub(super) fn new(leadership: Arc<Leadership>) -> Self {
        Self { leadership, runtime: Mutex::default() }
    }

    /// Runs the future to its end, whether or not somebody still waits for it.
    pub(super) async fn run<F>(&self, future: F) -> Result<F::Output, Status>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let runtime = self.handle().map_err(no_thread)?;
        let (sender, done) = oneshot::channel();
        let caught = ferroform_engine::panics::catch(Box::pin(future));
        let answered = async move {
            // Without a listener there is nobody to tell.
            let _ = sender.send(caught.await);
        };
        self.leadership.give(Box::new(move || threads::drive(&runtime, answered)));
        // The future ends early only where the panic could not be caught.
        let done = done.await.map_err(|_| Status::internal("the provider's thread ended early"))?;
        done.map_err(|panic| Status::internal(format!("the provider panicked: {panic}")))
    }

    fn handle(&self) -> io::Result<Handle> {
        let mut runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = &*runtime {
            return Ok(runtime.handle().clone());
        }
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let new = Builder::new_multi_thread()
            .worker_threads(cores.min(MOST_WORKERS))
            .thread_name("provider")
            .enable_all()
            .build()?;
        Ok(runtime.insert(new).handle().clone())
    }
}

fn no_thread(error: io::Error) -> Status {
    Status::resource_exhausted(format!("cannot start threads for the provider: {error}"))
}

impl Drop for Workers {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            // The process is about to end; it must not wait for a call that does not.
            runtime.shutdown_background();
        }
    }
}

/// Where the producer of a [`stream`] puts its messages.
#[derive(Debug)]
pub struct Messages<T>(mpsc::Sender<Result<T, Status>>);

impl<T> Messages<T> {
    /// Hands one message over, once the one before is on its way.
    ///
    /// # Errors
    ///
    /// [`Gone`], when nobody listens any more.
    pub async fn send(&self, message: T) -> Result<(), Gone> {
        self.0.send(Ok(message)).await.map_err(|_| Gone)
    }

    /// Ends the stream with an error.
    pub async fn fail(self, status: Status) {
        // The error is for a listener; without one there is nothing to do.
        let _ = self.0.send(Err(status)).await;
    }
}

/// Nobody listens to the stream any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// The answer of a streaming call, made by a future that runs beside it on a thread of its own. Call it
/// within a service's method, which is within the runtime.
pub fn stream<T, F>(produce: impl FnOnce(Messages<T>) -> F) -> BoxStream<T>
where
    T: Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(1);
    let (failed, none) = (sender.clone(), sender.clone());
    let producer = produce(Messages(sender));
    let here = Handle::current();
    let span = tracing::Span::current();
    let begun = threads::run(move || {
        let producer =
            tracing::Instrument::instrument(ferroform_engine::panics::catch(Box::pin(producer)), span);
        if let Err(panic) = here.block_on(producer) {
            let status = Status::internal(format!("the provider panicked: {panic}"));
            // As above: without a listener there is nobody to tell.
            let _ = failed.blocking_send(Err(status));
        }
    });
    if let Err(error) = begun {
        // Nobody else sends then, and there is room for one.
        let _ = none.try_send(Err(no_thread(error)));
    }
    Box::pin(Received(receiver))
}

struct Received<T>(mpsc::Receiver<Result<T, Status>>);

impl<T> Stream for Received<T> {
    type Item = Result<T, Status>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}
