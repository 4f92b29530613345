//! The services of the plugin library: health check, broker, controller and stdio.
//!
//! | service | purpose |
//! |---|---|
//! | `grpc.health.v1.Health` | Terraform checks that the provider is ready |
//! | `plugin.GRPCBroker` | additional connections; Terraform opens the stream, but providers do not use it |
//! | `plugin.GRPCController` | Shutdown, the request to end the process |
//! | `plugin.GRPCStdio` | the output of the process; Terraform opens the stream, but it stays empty |

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use ferroform_proto::health::health_check_response::ServingStatus;
use ferroform_proto::health::health_server::{Health, HealthServer};
use ferroform_proto::health::{HealthCheckRequest, HealthCheckResponse};
use ferroform_proto::plugin::grpc_broker_server::{GrpcBroker, GrpcBrokerServer};
use ferroform_proto::plugin::grpc_controller_server::{GrpcController, GrpcControllerServer};
use ferroform_proto::plugin::grpc_stdio_server::{GrpcStdio, GrpcStdioServer};
use ferroform_proto::plugin::{ConnInfo, Empty, StdioData};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::codegen::tokio_stream::Stream;
use tonic::codegen::{BoxStream, async_trait};
use tonic::{Request, Response, Status, Streaming};

use super::server::Route;

/// All services of the plugin library. `shutdown` is canceled by the Shutdown RPC, and ends open streams.
pub(super) fn all(shutdown: &CancellationToken) -> Vec<Route> {
    let plugin = Plugin { shutdown: shutdown.clone(), is_stdio_open: Arc::default() };
    vec![
        Route::new(HealthServer::new(plugin.clone())),
        Route::new(GrpcBrokerServer::new(plugin.clone())),
        Route::new(GrpcControllerServer::new(plugin.clone())),
        Route::new(GrpcStdioServer::new(plugin)),
    ]
}

#[derive(Clone)]
struct Plugin {
    shutdown: CancellationToken,
    /// True if Terraform reads the stdio stream, which is always empty.
    is_stdio_open: Arc<AtomicBool>,
}

impl Plugin {
    fn open<T: Send + 'static>(&self, first: Option<T>) -> OpenStream<T> {
        OpenStream { first, end: Box::pin(self.shutdown.clone().cancelled_owned()), reader: None }
    }
}

#[async_trait]
impl Health for Plugin {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        health(&request.get_ref().service).map(Response::new)
    }

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<BoxStream<HealthCheckResponse>>, Status> {
        let now = health(&request.get_ref().service)?;
        Ok(Response::new(Box::pin(self.open(Some(now)))))
    }
}

/// Terraform checks the service `plugin`; an empty name means the whole process.
fn health(service: &str) -> Result<HealthCheckResponse, Status> {
    match service {
        "" | "plugin" => Ok(HealthCheckResponse { status: ServingStatus::Serving.into() }),
        _ => Err(Status::not_found("unknown service")),
    }
}

#[async_trait]
impl GrpcBroker for Plugin {
    /// Terraform opens this stream once. Providers use no brokered connections, so incoming messages are ignored.
    async fn start_stream(
        &self,
        request: Request<Streaming<ConnInfo>>,
    ) -> Result<Response<BoxStream<ConnInfo>>, Status> {
        let mut inbound = request.into_inner();
        tokio::spawn(async move { while let Ok(Some(_)) = inbound.message().await {} });
        Ok(Response::new(Box::pin(self.open(None))))
    }
}

#[async_trait]
impl GrpcController for Plugin {
    async fn shutdown(&self, _: Request<Empty>) -> Result<Response<Empty>, Status> {
        self.shutdown.cancel();
        Ok(Response::new(Empty {}))
    }
}

#[async_trait]
impl GrpcStdio for Plugin {
    /// An open stream without messages: output of the provider to its standard streams is part of the log (see
    /// `standard_streams.rs`).
    async fn stream_stdio(&self, _: Request<()>) -> Result<Response<BoxStream<StdioData>>, Status> {
        if self.is_stdio_open.swap(true, Ordering::AcqRel) {
            return Err(Status::failed_precondition("the stdio stream is already open"));
        }
        let mut stream = self.open(None);
        stream.reader = Some(Reader(Arc::clone(&self.is_stdio_open)));
        Ok(Response::new(Box::pin(stream)))
    }
}

/// A stream of at most one message that stays open until the shutdown.
struct OpenStream<T> {
    first: Option<T>,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
    reader: Option<Reader>,
}

// No field is structurally pinned.
impl<T> Unpin for OpenStream<T> {}

impl<T> Stream for OpenStream<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => self.end.as_mut().poll(context).map(|()| None),
        }
    }
}

/// Allows another reader of the stdio stream when it is dropped.
struct Reader(Arc<AtomicBool>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
