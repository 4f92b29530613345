//! A provider that the test process serves: Terraform reattaches to it, as in debug mode.
//!
//! Terraform normally starts a process for each configuration of a provider in each command. Here, each connection has a
//! provider of its own instead, because Terraform opens one connection where it would start a process.

use std::io;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Dispatch;

use super::debug;
use super::environment::Process;
use super::executor::Executor;
use super::listen::{Listener, Stream};
use super::log::RequestSpans;
use super::protocol::Protocol;
use super::server::{Router, connection};
use super::service::Service;
use super::service_context::{ExitTasks, ServiceContext};
use super::services;
use super::start::service_route;
use ferroform_engine::ProviderServer;
use ferroform_engine::concurrency::stop::Stopper;

/// The time to wait for the end of the server when it is dropped.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(2);

/// Serves a provider from this process, until it is dropped.
pub struct ReattachServer {
    variable: String,
    shutdown: CancellationToken,
    ended: mpsc::Receiver<()>,
}

impl ReattachServer {
    /// Serves the provider with this address on protocol 6. `create` returns the provider of a new connection. Its events
    /// reach `subscriber`.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started, or if no socket can be opened.
    pub fn start(
        address: &str,
        subscriber: Dispatch,
        create: impl Fn() -> ProviderServer + Send + Sync + 'static,
    ) -> io::Result<ReattachServer> {
        let executor = executor()?;
        let _within = executor.connections().enter();
        let listener =
            Listener::open(false, true, &Process).map_err(|it| io::Error::other(it.to_string()))?;
        let variable = debug::reattach_variable(address, Protocol::V6.number(), listener.address());
        let shutdown = CancellationToken::new();
        let (end, ended) = mpsc::channel();
        let provider = Provider {
            address: address.to_owned(),
            executor: executor.clone().with_subscriber(subscriber),
            create: Box::new(create),
            shutdown: shutdown.clone(),
        };
        executor.connections().spawn(async move {
            accept(listener, Arc::new(provider)).await;
            let _ = end.send(());
        });
        Ok(ReattachServer { variable, shutdown, ended })
    }

    /// The value of `TF_REATTACH_PROVIDERS` with which Terraform reattaches to this provider.
    pub fn variable(&self) -> &str {
        &self.variable
    }
}

impl Drop for ReattachServer {
    fn drop(&mut self) {
        self.shutdown.cancel();
        // The server removes its socket. A method that does not end must not prevent the end of the test.
        let _ = self.ended.recv_timeout(SHUTDOWN_LIMIT);
    }
}

/// The executor of all servers in this process. It runs until the process ends.
fn executor() -> io::Result<&'static Executor> {
    static EXECUTOR: OnceLock<Executor> = OnceLock::new();
    if let Some(executor) = EXECUTOR.get() {
        return Ok(executor);
    }
    // If two threads arrive here, one of the executors is never started.
    let created = Executor::new()?;
    Ok(EXECUTOR.get_or_init(|| {
        created.start();
        created
    }))
}

struct Provider {
    address: String,
    executor: Executor,
    create: Box<dyn Fn() -> ProviderServer + Send + Sync>,
    shutdown: CancellationToken,
}

async fn accept(listener: Listener, provider: Arc<Provider>) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = provider.shutdown.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok(stream) => {
                connections.spawn(Arc::clone(&provider).serve(stream));
            }
            // The process is probably out of file descriptors, and a closed connection will release some.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

impl Provider {
    /// Serves a new provider until the connection is closed.
    async fn serve(self: Arc<Self>, stream: Stream) {
        let context = ServiceContext {
            stopper: Stopper::new(),
            protocol: Protocol::V6,
            executor: self.executor.clone(),
            exit_tasks: ExitTasks::default(),
            running: TaskTracker::new(),
        };
        // Provider code must not run inside the runtime of the connections.
        let (this, service_context) = (Arc::clone(&self), context.clone());
        let create = async move { Service::new((this.create)(), &service_context) };
        // The provider panics while it registers its objects: Terraform reports a closed connection.
        let Ok(service) = self.executor.run(create).await else { return };
        let router = Arc::new(Router {
            provider: service_route(service, Protocol::V6),
            others: services::all(&self.shutdown).await,
            executor: context.executor,
            stopper: context.stopper.clone(),
            requests: Arc::new(RequestSpans::new(
                self.address.clone(),
                format!("{}.11", Protocol::V6.number()),
            )),
            running: context.running.clone(),
            exit_tasks: context.exit_tasks.clone(),
        });
        connection(stream, None, Arc::clone(&router), self.shutdown.clone()).await;
        // As at the end of a process: open ephemeral resources are closed.
        context.stopper.stop();
        context.running.close();
        tokio::join!(context.running.wait(), context.exit_tasks.run());
        // An error means that a destructor of the provider has panicked.
        let _ = self.executor.run(async move { drop(router) }).await;
    }
}
