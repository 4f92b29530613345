//! The HTTP server of a mock service, and the order in which it processes a request.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Weak;
use std::time::Duration;

use ferroform::Clock;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;

use super::fault::{Effect, Fault, TIMEOUT};
use super::request::{Request, Response, decode_query};
use super::store::Store;
use super::{Service, Shared, State};

/// Accepts connections until the service is dropped.
pub(super) async fn accept(listener: TcpListener, shared: Weak<Shared>) -> io::Result<Infallible> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        let shared = shared.clone();
        tokio::spawn(async move {
            let respond = service_fn(move |request| respond(shared.clone(), request));
            // The client can have closed the connection, and a fault closes it with an error.
            http1::Builder::new().serve_connection(TokioIo::new(stream), respond).await.ok();
        });
    }
}

/// Responds to a request. An error closes the connection.
async fn respond(
    shared: Weak<Shared>,
    request: hyper::Request<Incoming>,
) -> io::Result<hyper::Response<Full<Bytes>>> {
    let request = receive(request).await?;
    let service = Service(shared.upgrade().ok_or_else(closed)?);
    let (clock, latency, fault) = service.state().admit(&request);
    if let Some(Fault { effect: Effect::Call(function), .. }) = &fault {
        function();
    }
    if !latency.is_zero() {
        clock.sleep(latency).await;
    }
    let Some(fault) = fault else { return encode(&service.perform(&request), false) };
    let response = fault.processed.then(|| service.perform(&request));
    match (fault.effect, response) {
        (Effect::Respond(response), _) => encode(&response, false),
        (Effect::InvalidBody, Some(response)) => encode(&response, true),
        (Effect::Call(_), Some(response)) => encode(&response, false),
        (Effect::TimeOut, _) => {
            // The service stops while it waits, if the test ends.
            drop(service);
            clock.sleep(TIMEOUT).await;
            Err(closed())
        }
        (Effect::CloseConnection | Effect::InvalidBody | Effect::Call(_), _) => Err(closed()),
    }
}

fn closed() -> io::Error {
    io::ErrorKind::ConnectionReset.into()
}

/// Reads a request.
async fn receive(request: hyper::Request<Incoming>) -> io::Result<Request> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let headers = head.headers.iter();
    let headers = headers.map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    Ok(Request {
        method: head.method.as_str().to_owned(),
        path: head.uri.path().to_owned(),
        query: decode_query(head.uri.query().unwrap_or_default()),
        headers: headers.collect(),
        body: match &*body {
            [] => Value::Null,
            body => serde_json::from_slice(body)
                .unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned().into()),
        },
    })
}

/// Encodes a response. If `is_incomplete`, the second half of its body is missing.
fn encode(response: &Response, is_incomplete: bool) -> io::Result<hyper::Response<Full<Bytes>>> {
    let mut body = if response.body.is_null() { String::new() } else { response.body.to_string() };
    if is_incomplete {
        // Bytes, because the middle can be inside a character.
        let half = body.len() / 2;
        body = String::from_utf8_lossy(&body.as_bytes()[..half]).into_owned();
    }
    let builder =
        hyper::Response::builder().status(response.status).header("content-type", "application/json");
    let headers = response.headers.iter();
    let builder = headers.fold(builder, |it, (name, value)| it.header(name, value));
    builder.body(Full::new(body.into())).map_err(io::Error::other)
}

impl State {
    /// Records a request. Returns the clock and the latency of its response, and the fault that affects it.
    fn admit(&mut self, request: &Request) -> (Clock, Duration, Option<Fault>) {
        self.requests.push(request.clone());
        // Each fault counts the requests that it could affect, also those that another fault affects.
        let affected: Vec<bool> = self.faults.iter_mut().map(|it| it.affects(request)).collect();
        let fault = affected.iter().position(|it| *it).map(|index| self.faults[index].clone());
        (self.clock.clone(), self.latency, fault)
    }

    /// Calls the function with the collection of a request, the ID of its object, and the lag. `None` if there is no collection.
    fn with_store<T>(
        &mut self,
        request: &Request,
        function: impl FnOnce(&mut Store, Option<&str>, u32) -> T,
    ) -> Option<T> {
        let lag = self.lag;
        let (id, store) = self.collections.iter_mut().find_map(|(path, store)| {
            let id = request.id_in(path);
            (id.is_some() || request.path == *path).then_some((id, store))
        })?;
        Some(function(store, id.as_deref(), lag))
    }
}

impl Service {
    /// Performs a request, unless it is rejected.
    fn perform(&self, request: &Request) -> Response {
        let routes = {
            let mut state = self.state();
            let now = state.clock.now();
            if let Some(wait) = state.rate_limit.as_mut().and_then(|it| it.count(now)) {
                let seconds = wait.as_millis().div_ceil(1000);
                return Response::error(429, "There are too many requests.")
                    .header("retry-after", seconds.to_string());
            }
            let is_sent = |(name, value): &(String, String)| request.headers.get(name) == Some(value);
            if !state.required_headers.iter().all(is_sent) {
                return Response::error(401, "The credentials are missing or invalid.");
            }
            state.routes.clone()
        };
        // A route can call methods of the service, so the state is not locked.
        if let Some(response) = routes.iter().find_map(|it| it(self, request)) {
            return response;
        }
        let validation = self.state().with_store(request, |store, id, _| store.validation(request, id));
        // So can a validation.
        if let Some(Err(response)) = validation.flatten().map(|it| it.run()) {
            return response;
        }
        let response = self.state().with_store(request, |store, id, lag| store.respond(request, id, lag));
        response.unwrap_or_else(|| Response::error(404, "There is no collection at this path."))
    }
}
