//! RPCs that respond with a stream of messages.

use ferroform_engine::concurrency::executor::MethodExecutor as _;
use ferroform_engine::concurrency::stop::with_cancellation;
use tokio::sync::mpsc;
use tonic::codegen::BoxStream;
use tonic::codegen::tokio_stream::StreamExt as _;
use tonic::codegen::tokio_stream::wrappers::ReceiverStream;
use tracing::Instrument as _;

use super::Service;

impl Service {
    /// Starts a task that sends events, and returns their messages as a stream, which ends with the task.
    ///
    /// The task waits while Terraform does not receive the messages. If Terraform ends the RPC, `send` returns an error
    /// and the requests of the task are canceled.
    pub(super) fn respond_with_stream<E, T, F>(
        &self,
        produce: impl FnOnce(Service, mpsc::Sender<E>) -> F,
        mut encode: impl FnMut(E) -> T + Send + 'static,
    ) -> BoxStream<T>
    where
        E: Send + 'static,
        T: Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, events) = mpsc::channel(1);
        let task = produce(self.clone(), sender).instrument(tracing::Span::current());
        // A new task has no RPC of its own, so it gets the cancellation of this one.
        let task = with_cancellation(self.stopper.token(), task);
        self.executor.spawn(Box::pin(self.running.track_future(task)));
        Box::pin(ReceiverStream::new(events).map(move |event| Ok(encode(event))))
    }
}
