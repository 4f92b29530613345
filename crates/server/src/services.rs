//! The services that every plugin has beside the provider's own.

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

/// All of them. `shutdown` is what the host's request to end cancels, and what ends the open streams.
pub(super) fn all(shutdown: &CancellationToken) -> Vec<Route> {
    let plugin = Plugin { shutdown: shutdown.clone(), stdio: Arc::default() };
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
    /// Whether somebody listens to the (silent) standard streams.
    stdio: Arc<AtomicBool>,
}

impl Plugin {
    fn open<T: Send + 'static>(&self, first: Option<T>) -> Open<T> {
        Open { first, end: Box::pin(self.shutdown.clone().cancelled_owned()), lease: None }
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

/// The host asks for the service `plugin`; no name is the process as a whole.
fn health(service: &str) -> Result<HealthCheckResponse, Status> {
    match service {
        "" | "plugin" => Ok(HealthCheckResponse { status: ServingStatus::Serving.into() }),
        _ => Err(Status::not_found("unknown service")),
    }
}

#[async_trait]
impl GrpcBroker for Plugin {
    /// The host opens this once and keeps it. Providers broker nothing, so what comes is only read.
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
    /// Open and silent: what the provider writes to its standard streams is part of the log (`standard_streams.rs`).
    async fn stream_stdio(&self, _: Request<()>) -> Result<Response<BoxStream<StdioData>>, Status> {
        if self.stdio.swap(true, Ordering::AcqRel) {
            return Err(Status::failed_precondition("somebody already listens to the standard streams"));
        }
        let mut stream = self.open(None);
        stream.lease = Some(Lease(Arc::clone(&self.stdio)));
        Ok(Response::new(Box::pin(stream)))
    }
}

/// A stream of at most one message that stays open until the server ends.
struct Open<T> {
    first: Option<T>,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
    lease: Option<Lease>,
}

// Nothing in it is pinned in place.
impl<T> Unpin for Open<T> {}

impl<T> Stream for Open<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => self.end.as_mut().poll(context).map(|()| None),
        }
    }
}

/// Gives the standard streams free when their listener goes.
struct Lease(Arc<AtomicBool>);

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
