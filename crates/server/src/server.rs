//! Connections and the routing of RPCs to services.
//!
//! Each connection is a task that speaks HTTP/2. The path of a request selects the service:
//!
//! ```text
//! /tfplugin6.Provider/PlanResourceChange      the provider, in protocol 6
//! /grpc.health.v1.Health/Check                the health check
//! ```

use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval_at, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::NamedService;
use tracing::Instrument as _;

use super::body::{CompleteBody, GuardedBody};
use super::executor::Executor;
use super::listen::{Listener, Stream};
use super::log::RequestSpans;
use super::service_context::ExitTasks;
use super::standard_streams::is_closed_by_reader;
use ferroform_engine::concurrency::stop::{self, Stopper};
use ferroform_engine::panics;

/// The timeout of the TLS handshake.
const TLS_TIMEOUT: Duration = Duration::from_secs(10);
/// How long RPCs and exit tasks may continue after Shutdown; Terraform kills the process after 2 s.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(1800);
/// How long they may continue after Terraform has ended: the grace period of methods (20 s), and then the limit for
/// closing an ephemeral resource that a method has opened in that time (20 s).
const DISCONNECT_GRACE: Duration = Duration::from_secs(42);
/// How often the server checks whether Terraform still uses it.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
// States may be large, and Terraform runs on the same machine, so the HTTP/2 windows are large.
const STREAM_WINDOW: u32 = 4 << 20;
const CONNECTION_WINDOW: u32 = 64 << 20;
const FRAME: u32 = 1 << 20;

type ResponseFuture = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

/// A gRPC service with its name.
#[derive(Clone)]
pub(super) struct Route {
    name: &'static str,
    call: Arc<dyn Fn(http::Request<CompleteBody>) -> ResponseFuture + Send + Sync>,
}

impl Route {
    pub(super) fn new<S>(service: S) -> Self
    where
        S: Service<http::Request<CompleteBody>, Response = http::Response<Body>, Error = Infallible>,
        S: NamedService + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        // A generated service is always ready.
        Self::with_name(S::NAME, move |request| Box::pin(service.clone().call(request)))
    }

    /// A service that is a function.
    pub(super) fn with_name(
        name: &'static str,
        call: impl Fn(http::Request<CompleteBody>) -> ResponseFuture + Send + Sync + 'static,
    ) -> Self {
        Self { name, call: Arc::new(call) }
    }

    /// Calls the service.
    pub(super) fn call(&self, request: http::Request<CompleteBody>) -> ResponseFuture {
        (self.call)(request)
    }
}

/// A server that is ready to run.
pub(super) struct Server {
    pub(super) listener: Listener,
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) router: Router,
    /// Canceled when the server is to shut down.
    pub(super) shutdown: CancellationToken,
    /// Canceled by SIGTERM: the server shuts down once no connection is open.
    pub(super) terminated: CancellationToken,
}

impl Server {
    /// Serves connections until the shutdown.
    pub(super) async fn run(self) {
        let Self { listener, tls, router, shutdown, terminated } = self;
        let router = Arc::new(router);
        let mut connections = JoinSet::new();
        let mut check = interval_at(Instant::now() + CHECK_INTERVAL, CHECK_INTERVAL);
        // Checks since the last connection was closed.
        let mut idle_checks = 0_u32;
        // How long the running RPCs and the exit tasks may continue.
        let grace = loop {
            let accepted = tokio::select! {
                () = shutdown.cancelled() => break SHUTDOWN_GRACE,
                accepted = listener.accept() => accepted,
                _ = check.tick() => {
                    while connections.try_join_next().is_some() {}
                    idle_checks = if connections.is_empty() { idle_checks + 1 } else { 0 };
                    let should_exit = match idle_checks {
                        0 => false,
                        count => terminated.is_cancelled() || is_due(count) && is_closed_by_reader(),
                    };
                    if should_exit {
                        break DISCONNECT_GRACE;
                    }
                    continue;
                }
            };
            match accepted {
                Ok(stream) => {
                    let (tls, router) = (tls.clone(), Arc::clone(&router));
                    connections.spawn(connection(stream, tls, router, shutdown.clone()));
                }
                Err(error) => {
                    // The process is probably out of file descriptors, and running RPCs will release some.
                    tracing::warn!(target: "sdk", %error, "cannot accept a connection");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        };
        drop(listener);
        router.stopper.stop();
        router.running.close();
        let finished = async {
            tokio::join!(router.running.wait(), router.exit_tasks.run());
            while connections.join_next().await.is_some() {}
        };
        if timeout(grace, finished).await.is_err() {
            tracing::debug!(target: "sdk", "shut down with requests still running");
        }
    }
}

/// True for the checks that write to the log: with exponential backoff, from 0.5 s up to 64 s.
fn is_due(check: u32) -> bool {
    check.is_power_of_two() || check.is_multiple_of(128)
}

/// Serves a connection until it is closed or the server shuts down.
pub(super) async fn connection(
    stream: Stream,
    tls: Option<TlsAcceptor>,
    router: Arc<Router>,
    shutdown: CancellationToken,
) {
    let stream: Stream = match tls {
        None => stream,
        Some(tls) => match shutdown.run_until_cancelled(timeout(TLS_TIMEOUT, tls.accept(stream))).await {
            Some(Ok(Ok(stream))) => Box::new(stream),
            Some(Ok(Err(error))) => return tracing::warn!(target: "sdk", %error, "rejected a connection"),
            Some(Err(_)) | None => return tracing::warn!(target: "sdk", "the TLS handshake timed out"),
        },
    };
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_frame_size(FRAME)
        // Terraform limits its own concurrency.
        .max_concurrent_streams(None)
        .auto_date_header(false);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), RouterService(router)));
    let ended = match shutdown.run_until_cancelled(connection.as_mut()).await {
        Some(ended) => ended,
        None => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // Terraform often closes connections without notice.
        tracing::debug!(target: "sdk", %error, "a connection was closed with an error");
    }
}

/// Adapts the router to hyper.
struct RouterService(Arc<Router>);

impl hyper::service::Service<http::Request<Incoming>> for RouterService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn call(&self, request: http::Request<Incoming>) -> ResponseFuture {
        let router = Arc::clone(&self.0);
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let body = CompleteBody::from(body).await;
            router.route(http::Request::from_parts(parts, body)).await
        })
    }
}

/// Routes an RPC to the provider's service or to one of the plugin library.
pub(super) struct Router {
    pub(super) provider: Route,
    pub(super) others: Vec<Route>,
    pub(super) executor: Executor,
    pub(super) stopper: Stopper,
    pub(super) requests: Arc<RequestSpans>,
    /// The provider RPCs that are running, including those whose connection is closed.
    pub(super) running: TaskTracker,
    /// The tasks that run before the process exits.
    pub(super) exit_tasks: ExitTasks,
}

impl Router {
    fn route(&self, request: http::Request<CompleteBody>) -> ResponseFuture {
        let Some((service, rpc)) = request.uri().path().trim_start_matches('/').split_once('/') else {
            return unimplemented();
        };
        if service == self.provider.name {
            let span = self.requests.span(rpc);
            return self.provider(request, span);
        }
        match self.others.iter().find(|route| route.name == service) {
            Some(route) => (route.call)(request),
            None => unimplemented(),
        }
    }

    fn provider(&self, request: http::Request<CompleteBody>, span: tracing::Span) -> ResponseFuture {
        let response = (self.provider.call)(request);
        let timed = async {
            let start = Instant::now();
            tracing::trace!(target: "sdk.proto", "Received request");
            let response = response.await;
            let tf_req_duration_ms = start.elapsed().as_millis() as u64;
            tracing::trace!(target: "sdk.proto", tf_req_duration_ms, "Served request");
            response
        };
        let cancellation = self.stopper.token();
        let call = stop::with_cancellation(cancellation.clone(), timed.instrument(span));
        let response = self.executor.run(self.running.track_future(panics::catch(Box::pin(call))));
        // hyper drops the returned future, or the body of the response, when Terraform cancels the RPC or closes the
        // connection.
        let cancel_on_drop = cancellation.drop_guard();
        Box::pin(async move {
            let response = match response.await {
                Ok(Ok(Ok(response))) => response,
                Ok(Err(panic)) => Status::internal(format!("the provider panicked: {panic}")).into_http(),
                Err(_) => Status::internal("the request ended without a response").into_http(),
            };
            Ok(response.map(|body| Body::new(GuardedBody::new(body, cancel_on_drop))))
        })
    }
}

pub(super) fn unimplemented() -> ResponseFuture {
    Box::pin(async { Ok(Status::unimplemented("this plugin has no such service").into_http()) })
}
