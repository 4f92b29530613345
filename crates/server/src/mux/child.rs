//! A provider binary that runs as a child process, such as one that is written in Go.
//!
//! The process starts with the first RPC, and ends with this process: by Shutdown after the last RPC, and by its guard if
//! this process is killed.

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
    running: Mutex<Option<Running>>,
}

struct Running {
    plugin: Plugin,
    /// Ends with this value.
    _guard: Option<guard::Guard>,
}

impl Child {
    /// A child process for a mux that Terraform calls with this protocol.
    pub(crate) fn new(command: PluginCommand, protocol: Protocol, context: &ServiceContext) -> Child {
        // A schema of protocol 6 may not be possible in protocol 5.
        let command = match protocol {
            Protocol::V5 => command.protocols([Protocol::V5]),
            Protocol::V6 => command.protocols([Protocol::V5, Protocol::V6]),
        };
        let process = Arc::new(OnceCell::new());
        let at_exit = Arc::clone(&process);
        context.exit_tasks.add(async move {
            if let Some(running) = at_exit.get().and_then(Process::take) {
                // The process is killed if it does not end by itself.
                let _ = running.plugin.stop().await;
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
        match process.channel.clone().call(request).await {
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
        let guard = guard::start(&plugin).unwrap_or_else(|error| {
            tracing::warn!(target: "sdk", %error, "the child process continues if this process is killed");
            None
        });
        let running = Mutex::new(Some(Running { plugin, _guard: guard }));
        Process { protocol, channel, running }
    }

    fn take(&self) -> Option<Running> {
        self.running().take()
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error for a request without a response, after which Terraform keeps the prior state of an object.
    async fn failure(&self, name: &str, error: &hyper::Error, wait: Sleep) -> Status {
        let ended = |process: &Process| process.running().as_mut()?.plugin.try_wait().ok()?;
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

/// A guard process waits for this process to exit, then kills the child.
#[cfg(unix)]
mod guard {
    use std::io;
    use std::process::Stdio;

    use tokio::process::{Child, Command};

    use crate::client::Plugin;

    /// Ends the guard when it is dropped.
    pub(super) struct Guard(#[expect(dead_code, reason = "it is only dropped")] Child);

    /// The pipe has no other writer than this process, so reading ends when this process ends. A terminal and an init
    /// system send signals to all processes, which the guard has to survive.
    const SCRIPT: &str = "trap '' HUP INT TERM; read -r _; kill -KILL \"$1\"";

    /// Returns `None` if the child process has ended.
    pub(super) fn start(plugin: &Plugin) -> io::Result<Option<Guard>> {
        let Some(id) = plugin.id() else { return Ok(None) };
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "sh"]).arg(id.to_string()).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(|guard| Some(Guard(guard)))
    }
}

/// A job object kills the child when this process exits, because Windows then closes the only handle of the job object.
#[cfg(windows)]
mod guard {
    use std::io;

    use win32job::{ExtendedLimitInfo, Job};

    use crate::client::Plugin;

    pub(super) struct Guard(#[expect(dead_code, reason = "it is only dropped")] Job);

    /// Returns `None` if the child process has ended.
    pub(super) fn start(plugin: &Plugin) -> io::Result<Option<Guard>> {
        let Some(process) = plugin.raw_handle() else { return Ok(None) };
        let mut limits = ExtendedLimitInfo::new();
        let job = Job::create_with_limit_info(limits.limit_kill_on_job_close()).map_err(io::Error::other)?;
        job.assign_process(process as isize).map_err(io::Error::other)?;
        Ok(Some(Guard(job)))
    }
}
