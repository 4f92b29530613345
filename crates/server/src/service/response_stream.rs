//! RPCs that respond with a stream of messages.

use std::pin::Pin;
use std::task::{Context, Poll};

use ferroform_engine::concurrency::executor::MethodExecutor as _;
use ferroform_engine::concurrency::stop::with_cancellation;
use tokio::sync::mpsc;
use tonic::Status;
use tonic::codegen::BoxStream;
use tonic::codegen::tokio_stream::Stream;
use tracing::Instrument as _;

use super::Service;

impl Service {
    /// Starts a task that sends messages, and returns its messages as a stream, which ends with the task.
    ///
    /// The task waits while Terraform does not receive its messages. If Terraform ends the RPC, `send` returns an error
    /// and the requests of the task are canceled.
    pub(super) fn respond_with_stream<T, F>(
        &self,
        produce: impl FnOnce(Service, mpsc::Sender<T>) -> F,
    ) -> BoxStream<T>
    where
        T: Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, messages) = mpsc::channel(1);
        let task = produce(self.clone(), sender).instrument(tracing::Span::current());
        // A new task has no RPC of its own, so it gets the cancellation of this one.
        let task = with_cancellation(self.stopper.token(), task);
        self.executor.spawn(Box::pin(self.running.track_future(task)));
        Box::pin(ResponseStream(messages))
    }
}

/// The messages of a task.
struct ResponseStream<T>(mpsc::Receiver<T>);

impl<T> Stream for ResponseStream<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|message| message.map(Ok))
    }
}
