//! A provider binary that runs as a child process, such as one that is written in Go.
//!
//! The process starts with the first RPC, and ends with this process: by Shutdown after the last RPC, and by its guard if
//! this process is killed. An RPC that Terraform cancels is canceled in the process, too.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ferroform_engine::concurrency::stop::Stopper;
use tokio::sync::OnceCell;
use tokio::task::JoinError;
use tokio::time::{Sleep, sleep};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Bytes, Service as _, http};

use super::grpc;
use crate::body::CompleteBody;
use crate::client::{Channel, Plugin, PluginCommand};
use crate::protocol::Protocol;
use crate::rpcs::STOP_PROVIDER;
use crate::service_context::ServiceContext;

/// How long to wait for the exit status of a process whose connection is closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// The child process, which is started when it is needed.
pub(crate) struct Child {
    command: PluginCommand,
    context: ServiceContext,
    process: Arc<OnceCell<Process>>,
}

struct Process {
    protocol: Protocol,
    channel: Channel,
    /// `None` once the process has been stopped.
    running: Mutex<Option<Plugin>>,
}

impl Child {
    /// A child process for a mux that Terraform calls with this protocol.
    pub(crate) fn new(command: PluginCommand, protocol: Protocol, context: &ServiceContext) -> Child {
        // A schema of protocol 6 may not be possible in protocol 5.
        let command = match protocol {
            Protocol::V5 => command.protocols([Protocol::V5]),
            Protocol::V6 => command.protocols([Protocol::V5, Protocol::V6]),
        };
        let command = command.ended_with_this_process();
        let process = Arc::new(OnceCell::new());
        let (at_exit, running) = (Arc::clone(&process), context.running.clone());
        context.exit_tasks.add(async move {
            running.wait().await;
            if let Some(plugin) = at_exit.get().and_then(Process::take) {
                // The process is killed if it does not end by itself.
                let _ = plugin.stop().await;
            }
        });
        Child { command, context: context.clone(), process }
    }

    /// The protocol that the process speaks.
    pub(super) async fn protocol(&self, name: &str) -> Result<Protocol, Status> {
        Ok(self.process(name).await?.protocol)
    }

    /// Sends a request, which depends on the protocol. `name` is the name in error messages.
    pub(super) async fn send(
        &self,
        name: &str,
        request: impl FnOnce(Protocol) -> Result<http::Request<CompleteBody>, Status>,
    ) -> Result<http::Response<Body>, Status> {
        let process = self.process(name).await?;
        let request = request(process.protocol)?.map(Body::new);
        let (rpc, all) = (self.context.stopper.token(), self.context.stopper.all());
        let call = process.channel.clone().call(request);
        let is_stopped = rpc.is_cancelled();
        let canceled = async {
            rpc.cancelled().await;
            if is_stopped || all.is_cancelled() {
                // Stop is passed on, and the process still responds.
                std::future::pending::<()>().await;
            }
        };
        let response = tokio::select! {
            response = call => response,
            // Dropping the call cancels it in the process.
            () = canceled => return Err(Status::cancelled("Terraform has canceled the request")),
        };
        match response {
            Ok(response) => Ok(response.map(Body::new)),
            Err(error) => {
                // The timer belongs to the runtime of the connections.
                let wait = {
                    let _within = self.context.executor.connections().enter();
                    sleep(EXIT_TIMEOUT)
                };
                Err(process.failure(name, &error, wait).await)
            }
        }
    }

    async fn process(&self, name: &str) -> Result<&Process, Status> {
        let start = async {
            let command = self.command.clone();
            let stopper = self.context.stopper.clone();
            // Sockets and processes belong to the runtime of the connections.
            let started = self.context.executor.connections().spawn(async move {
                let plugin = command.start().await.map_err(|error| error.to_string())?;
                tokio::spawn(forward_stop(stopper, plugin.protocol(), plugin.channel()));
                Ok(Process::new(plugin))
            });
            let started = started.await.unwrap_or_else(|error: JoinError| Err(error.to_string()));
            started.map_err(|error: String| Status::internal(format!("{name} could not be started: {error}")))
        };
        self.process.get_or_try_init(|| start).await
    }
}

/// Passes each Stop on. Terraform's own request reaches the process in the same way as other RPCs; SIGTERM and the end of
/// Terraform do not.
async fn forward_stop(stopper: Stopper, protocol: Protocol, mut channel: Channel) {
    let Some(name) = STOP_PROVIDER.name(protocol) else { return };
    loop {
        stopper.token().cancelled().await;
        let body = CompleteBody::new([grpc::framed(&Bytes::new())], None);
        if channel.call(grpc::request(protocol, name, Body::new(body))).await.is_err() {
            return;
        }
    }
}

impl Process {
    fn new(plugin: Plugin) -> Process {
        let (protocol, channel) = (plugin.protocol(), plugin.channel());
        Process { protocol, channel, running: Mutex::new(Some(plugin)) }
    }

    fn take(&self) -> Option<Plugin> {
        self.running().take()
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Plugin>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error for a request without a response, after which Terraform keeps the prior state of an object.
    async fn failure(&self, name: &str, error: &hyper::Error, wait: Sleep) -> Status {
        let ended = |process: &Process| process.running().as_mut()?.try_wait().ok()?;
        let mut status = ended(self);
        if status.is_none() {
            wait.await;
            status = ended(self);
        }
        Status::internal(match status {
            Some(status) => {
                format!("{name} exited unexpectedly ({status}). Check the provider's log for the cause.")
            }
            None => format!("{name} did not respond: {error}"),
        })
    }
}
