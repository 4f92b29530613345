//! A mock of an HTTP API, with the feature `mock`: an in-memory store of objects with latency, pagination, rate limits,
//! eventual consistency and faults.
//!
//! A [`Service`] is an HTTP server on a free port. Its [collections](Service::collection) store JSON objects:
//!
//! | request | response |
//! | --- | --- |
//! | `POST /v1/notes` | 201 with the created object |
//! | `GET /v1/notes` | 200 with the objects; parameters with the names of fields filter them |
//! | `GET /v1/notes/ID` | 200 with the object |
//! | `PUT /v1/notes/ID` | 200 with the object, which the body replaces |
//! | `PATCH /v1/notes/ID` | 200 with the object, into which the body is merged (RFC 7396) |
//! | `DELETE /v1/notes/ID` | 204, or 202 if the collection is [asynchronous](Collection::asynchronous) |
//!
//! Errors have the status 400 for a body that is not an object, 404, 405, 409 for an ID or a
//! [unique](Collection::unique) value that exists already, 422 for an object without its [key](Collection::key), and
//! those of [`validate`](Collection::validate).
//!
//! ```
//! use ferroform_testing::mock::{Fault, Pagination, Service};
//! use serde_json::json;
//!
//! let service = Service::start().require_header("authorization", "Bearer secret");
//! let notes = service
//!     .collection("/v1/notes")
//!     .id("id", |number| format!("note-{number}"))
//!     .unique("title")
//!     .computed(|note, _| {
//!         let size = note["text"].as_str().unwrap_or_default().len();
//!         note.insert("size".to_owned(), size.into());
//!     })
//!     .not_returned(["password"])
//!     .pagination(Pagination::page_token(10));
//!
//! // The provider gets `service.url()` as its endpoint. Its second request fails once.
//! service.inject(Fault::status(503).after(1));
//!
//! // The next three reads of a changed object are stale.
//! service.lag(3);
//!
//! // Another program creates a note.
//! let id = notes.insert(json!({ "title": "todo", "text": "hello" }));
//! assert_eq!(notes.get(&id).unwrap()["size"], 5);
//! ```
//!
//! # Simulated time
//!
//! With [`use_clock(harness.clock())`](Service::use_clock), latency, the windows of rate limits and requests without a
//! response take simulated time, so a test does not wait for them. The time limits of an HTTP client remain in real time:
//! set them to several seconds.

mod collection;
mod fault;
mod fault_injection;
mod request;
mod server;
mod settings;
mod store;

use std::collections::BTreeMap;
use std::fmt;
use std::net::{TcpListener, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ferroform::Clock;
use tokio::runtime::Runtime;

pub use self::collection::Collection;
pub use self::fault::Fault;
pub use self::request::{JsonObject, Request, Response};
pub use self::settings::{Asynchronous, Pagination};
use self::store::Store;
use crate::harness::lock;

/// A mock of an HTTP API; see the [module](self). Clones share the server, which stops when the last one is dropped.
///
/// The functions that a test passes to the service and its collections run while a request is processed. Only a
/// [route](Service::route), a [validation](Collection::validate) and a [fault](Fault::call) may call methods of the service or of a
/// collection.
#[derive(Clone)]
pub struct Service(Arc<Shared>);

struct Shared {
    url: String,
    state: Mutex<State>,
    /// `None` only while the service is dropped.
    runtime: Option<Runtime>,
}

#[derive(Default)]
struct State {
    collections: BTreeMap<String, Store>,
    routes: Vec<Route>,
    required_headers: Vec<(String, String)>,
    faults: Vec<Fault>,
    requests: Vec<Request>,
    clock: Clock,
    latency: Duration,
    rate_limit: Option<RateLimit>,
    lag: u32,
}

/// A function that responds to some requests.
type Route = Arc<dyn Fn(&Service, &Request) -> Option<Response> + Send + Sync>;

/// The number of requests in a window of time.
struct RateLimit {
    max: u32,
    window: Duration,
    start: Instant,
    requests: u32,
}

impl RateLimit {
    /// Counts a request. Returns the time until the next window if there were too many.
    fn count(&mut self, now: Instant) -> Option<Duration> {
        if now.saturating_duration_since(self.start) >= self.window {
            (self.start, self.requests) = (now, 0);
        }
        self.requests += 1;
        (self.requests > self.max).then(|| self.start + self.window - now)
    }
}

impl State {
    /// Returns the collection at this path, and creates it if there is none.
    fn store(&mut self, path: &str) -> &mut Store {
        self.collections.entry(path.to_owned()).or_default()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // The last owner can be a request, in a thread of the runtime, where its usual drop would panic.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Service {
    /// Starts a service on a free port of the loopback interface.
    ///
    /// # Panics
    ///
    /// Panics if the server cannot be started.
    #[track_caller]
    pub fn start() -> Service {
        Service::start_at("127.0.0.1:0")
    }

    /// Starts a service at an address, such as `127.0.0.1:8080`, for a provider or client that you run manually.
    ///
    /// # Panics
    ///
    /// Panics if the address is not available.
    #[track_caller]
    pub fn start_at(address: impl ToSocketAddrs) -> Service {
        let started = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let url = format!("http://{}", listener.local_addr()?);
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
            Ok((listener, url, runtime))
        });
        let (listener, url, runtime) = started.unwrap_or_else(|it| panic!("cannot start the service: {it}"));
        let handle = runtime.handle().clone();
        let service = Service(Arc::new(Shared { url, state: Mutex::default(), runtime: Some(runtime) }));
        handle.spawn(server::accept(listener, Arc::downgrade(&service.0)));
        service
    }

    /// Returns the URL of the service, without a slash at its end: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// Returns the collection at a path such as `/v1/notes`, and creates it if there is none. Without further settings,
    /// the service assigns IDs in the field `id`, and accepts all objects.
    pub fn collection(&self, path: &str) -> Collection {
        self.state().store(path);
        Collection { service: self.clone(), path: path.to_owned() }
    }

    /// Adds a function that responds to requests that are not about an object of a collection. The other requests, for which
    /// it returns `None`, continue to the next route, and then to the collections.
    ///
    /// ```
    /// use ferroform_testing::mock::{Response, Service};
    /// use serde_json::Value;
    ///
    /// let service = Service::start();
    /// let notes = service.collection("/v1/notes");
    /// service.route(|service, request| {
    ///     let id = request.path.strip_prefix("/v1/notes/")?.strip_suffix("/publish")?;
    ///     service.collection("/v1/notes").change(id, |note| _ = note.insert("public".into(), true.into()));
    ///     Some(Response::new(204, Value::Null))
    /// });
    /// ```
    pub fn route(
        &self,
        respond: impl Fn(&Service, &Request) -> Option<Response> + Send + Sync + 'static,
    ) -> &Service {
        self.state().routes.push(Arc::new(respond));
        self
    }

    /// Rejects requests without this value of a header with the status 401.
    #[must_use]
    pub fn require_header(self, name: &str, value: &str) -> Service {
        self.state().required_headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// Measures time with this clock: `harness.clock()` is the simulated time of the provider. The default is the real
    /// time.
    pub fn use_clock(&self, clock: &Clock) {
        let mut state = self.state();
        state.clock = clock.clone();
        if let Some(limit) = &mut state.rate_limit {
            (limit.start, limit.requests) = (clock.now(), 0);
        }
    }

    /// Delays each request by this time.
    pub fn latency(&self, latency: Duration) {
        self.state().latency = latency;
    }

    /// Rejects all requests after the first `max` ones in each window of time with the status 429 and the header
    /// `Retry-After`, which contains the seconds until the next window.
    pub fn rate_limit(&self, max: u32, window: Duration) {
        let mut state = self.state();
        let start = state.clock.now();
        state.rate_limit = Some(RateLimit { max, window, start, requests: 0 });
    }

    /// Simulates eventual consistency: after each further write, the next `reads` reads of this object, alone or in a list,
    /// return the object before the write, or do not find it. Writes themselves are consistent.
    pub fn lag(&self, reads: u32) {
        self.state().lag = reads;
    }

    /// Adds a fault. If several faults match a request, only the first one takes effect.
    pub fn inject(&self, fault: Fault) {
        self.state().faults.push(fault);
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.state().faults.clear();
    }

    /// Returns the number of requests so far, including rejected ones.
    pub fn request_count(&self) -> usize {
        self.state().requests.len()
    }

    /// Returns the requests so far, including rejected ones.
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// Returns the objects of all collections by their paths, such as `/v1/notes/note-1`.
    pub fn objects(&self) -> BTreeMap<String, JsonObject> {
        let state = self.state();
        let stores = state.collections.iter();
        let objects = stores.flat_map(|(path, store)| store.existing().map(move |it| (it.path_in(path), it)));
        objects.map(|(path, entry)| (path, entry.object.clone())).collect()
    }

    /// Deletes all objects, requests and faults. The settings remain.
    pub fn reset(&self) {
        let mut state = self.state();
        state.faults.clear();
        state.requests.clear();
        state.collections.values_mut().for_each(Store::reset);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0.state)
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("url", &self.url()).finish_non_exhaustive()
    }
}
