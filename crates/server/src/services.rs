//! The services of the plugin library: health check, broker, controller and stdio.
//!
//! | service | purpose |
//! |---|---|
//! | `grpc.health.v1.Health` | Terraform checks that the provider is ready |
//! | `plugin.GRPCBroker` | additional connections; Terraform opens the stream, but providers do not use it |
//! | `plugin.GRPCController` | Shutdown, the request to end the process |
//! | `plugin.GRPCStdio` | the output of the process; Terraform opens the stream, but it stays empty |

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ferroform_proto::plugin::grpc_broker_server::{GrpcBroker, GrpcBrokerServer};
use ferroform_proto::plugin::grpc_controller_server::{GrpcController, GrpcControllerServer};
use ferroform_proto::plugin::grpc_stdio_server::{GrpcStdio, GrpcStdioServer};
use ferroform_proto::plugin::{ConnInfo, Empty, StdioData};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::codegen::tokio_stream::wrappers::ReceiverStream;
use tonic::codegen::{BoxStream, async_trait};
use tonic::{Request, Response, Status, Streaming};
use tonic_health::ServingStatus;
use tonic_health::server::health_reporter;

use super::server::Route;

/// All services of the plugin library. `shutdown` is canceled by the Shutdown RPC, and ends open streams.
pub(super) async fn all(shutdown: &CancellationToken) -> Vec<Route> {
    let plugin = Plugin { shutdown: shutdown.clone(), is_stdio_open: Arc::default() };
    let (mut reporter, health) = health_reporter();
    // Terraform checks the service `plugin`; an empty name means the whole process.
    reporter.set_service_status("plugin", ServingStatus::Serving).await;
    let end = shutdown.clone().cancelled_owned();
    tokio::spawn(async move {
        end.await;
        for service in ["plugin", ""] {
            reporter.clear_service_status(service).await;
        }
    });
    vec![
        Route::new(health),
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
    /// A stream without messages that stays open until the shutdown. `reader` is dropped when the stream ends.
    fn open<T: Send + 'static>(&self, reader: Option<Reader>) -> BoxStream<T> {
        let (sender, messages) = mpsc::channel(1);
        let end = self.shutdown.clone().cancelled_owned();
        tokio::spawn(async move {
            tokio::select! {
                () = end => {}
                () = sender.closed() => {}
            }
            drop(reader);
        });
        Box::pin(ReceiverStream::new(messages))
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
        Ok(Response::new(self.open(None)))
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
        Ok(Response::new(self.open(Some(Reader(Arc::clone(&self.is_stdio_open))))))
    }
}

/// Allows another reader of the stdio stream when it is dropped.
struct Reader(Arc<AtomicBool>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
