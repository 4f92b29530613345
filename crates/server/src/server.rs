//! Connections, and who answers a call.

use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::NamedService;
use tracing::Instrument as _;

use super::body::Gathered;
use super::executor::Executor;
use super::listen::{Listener, Stream};
use super::log::Requests;
use super::standard_streams::is_closed_by_reader;
use ferroform_engine::concurrency::stop::{self, Stopper};
use ferroform_engine::panics;

/// How long a connection may take to prove itself.
const TLS_PATIENCE: Duration = Duration::from_secs(10);
/// How long calls may still take once the host has asked for the end; it kills the process after 2 s.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long the methods may take that were running when Terraform died: longer than their grace period of 20 s.
const METHOD_PATIENCE: Duration = Duration::from_secs(22);
/// How often the server looks whether anybody needs it.
const LOOK: Duration = Duration::from_millis(500);
/// States may be large, and the host is on the same machine.
const STREAM_WINDOW: u32 = 4 << 20;
const CONNECTION_WINDOW: u32 = 64 << 20;
const FRAME: u32 = 1 << 20;

type Reply = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

/// A service under its name, of whatever type.
#[derive(Clone)]
pub(super) struct Route {
    name: &'static str,
    call: Arc<dyn Fn(http::Request<Gathered>) -> Reply + Send + Sync>,
}

impl Route {
    pub(super) fn new<S>(service: S) -> Self
    where
        S: Service<http::Request<Gathered>, Response = http::Response<Body>, Error = Infallible>,
        S: NamedService + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        // A generated service is always ready.
        Self { name: S::NAME, call: Arc::new(move |request| Box::pin(service.clone().call(request))) }
    }
}

/// A server about to run.
pub(super) struct Server {
    pub(super) listener: Listener,
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) router: Router,
    /// Canceled when the server is to end.
    pub(super) shutdown: CancellationToken,
    /// Canceled by SIGTERM: the server ends once no connection is open.
    pub(super) terminated: CancellationToken,
}

impl Server {
    /// Serves until the end is asked for.
    pub(super) async fn run(self) {
        let Self { listener, tls, router, shutdown, terminated } = self;
        let router = Arc::new(router);
        let mut connections = JoinSet::new();
        let mut look = interval(LOOK);
        // How long the running RPCs may take to their end.
        let patience = loop {
            let accepted = tokio::select! {
                () = shutdown.cancelled() => break LAST_WORDS,
                accepted = listener.accept() => accepted,
                _ = look.tick() => {
                    while connections.try_join_next().is_some() {}
                    let is_alone = connections.is_empty();
                    if is_alone && (terminated.is_cancelled() || is_closed_by_reader()) {
                        break METHOD_PATIENCE;
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
                    // Out of descriptors, most likely: those of running calls come free.
                    tracing::warn!(target: "sdk", %error, "cannot accept a connection");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        };
        drop(listener);
        router.stopper.stop();
        router.running.close();
        let ended = async {
            router.running.wait().await;
            while connections.join_next().await.is_some() {}
        };
        if timeout(patience, ended).await.is_err() {
            tracing::debug!(target: "sdk", "ended with calls still running");
        }
    }
}

async fn connection(
    stream: Stream,
    tls: Option<TlsAcceptor>,
    router: Arc<Router>,
    shutdown: CancellationToken,
) {
    let stream: Stream = match tls {
        None => stream,
        Some(tls) => match shutdown.run_until_cancelled(timeout(TLS_PATIENCE, tls.accept(stream))).await {
            Some(Ok(Ok(stream))) => Box::new(stream),
            Some(Ok(Err(error))) => return tracing::warn!(target: "sdk", %error, "refused a connection"),
            Some(Err(_)) | None => return tracing::warn!(target: "sdk", "gave up on a silent connection"),
        },
    };
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_frame_size(FRAME)
        // The host limits its own parallelism.
        .max_concurrent_streams(None)
        .auto_date_header(false);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), Calls(router)));
    let ended = match shutdown.run_until_cancelled(connection.as_mut()).await {
        Some(ended) => ended,
        None => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // Hosts often leave without a word.
        tracing::debug!(target: "sdk", %error, "a connection broke off");
    }
}

/// The router in hyper's terms.
struct Calls(Arc<Router>);

impl hyper::service::Service<http::Request<Incoming>> for Calls {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Reply;

    fn call(&self, request: http::Request<Incoming>) -> Reply {
        let router = Arc::clone(&self.0);
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let body = Gathered::from(body).await;
            router.route(http::Request::from_parts(parts, body)).await
        })
    }
}

/// The provider's service and the plugin library's.
pub(super) struct Router {
    pub(super) provider: Route,
    pub(super) others: Vec<Route>,
    pub(super) executor: Executor,
    pub(super) stopper: Stopper,
    pub(super) requests: Arc<Requests>,
    /// The RPCs of the provider that are running, also those whose connection is gone.
    pub(super) running: TaskTracker,
}

impl Router {
    fn route(&self, request: http::Request<Gathered>) -> Reply {
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

    fn provider(&self, request: http::Request<Gathered>, span: tracing::Span) -> Reply {
        let reply = (self.provider.call)(request);
        let timed = async {
            let start = Instant::now();
            tracing::trace!(target: "sdk.proto", "Received request");
            let response = reply.await;
            let tf_req_duration_ms = start.elapsed().as_millis() as u64;
            tracing::trace!(target: "sdk.proto", tf_req_duration_ms, "Served request");
            response
        };
        let cancellation = self.stopper.token();
        let call = stop::within(cancellation.clone(), timed.instrument(span));
        let response = self.executor.run(self.running.track_future(panics::catch(Box::pin(call))));
        Box::pin(async move {
            // hyper drops this future when the host cancels the call, or is gone.
            let _cancel = cancellation.drop_guard();
            Ok(match response.await {
                Ok(Ok(Ok(response))) => response,
                Ok(Err(panic)) => Status::internal(format!("the provider panicked: {panic}")).into_http(),
                Err(_) => Status::internal("the call ended without a response").into_http(),
            })
        })
    }
}

fn unimplemented() -> Reply {
    Box::pin(async { Ok(Status::unimplemented("this plugin has no such service").into_http()) })
}
