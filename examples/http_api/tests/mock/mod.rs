//! A mock of the API.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::{Value, json};
use tiny_http::{Header, Method, Request, Response, Server};

/// The token that the mock accepts.
pub(crate) const TOKEN: &str = "secret";
/// The number of users in a page.
const PAGE: usize = 2;

/// The state of the service.
#[derive(Default)]
pub(crate) struct Service {
    /// The users by their IDs.
    pub(crate) users: BTreeMap<String, Value>,
    /// The number of requests that the rate limit rejects next.
    pub(crate) rejected_requests: u32,
    /// The number of reads that return the state before a change.
    pub(crate) outdated_reads: u32,
    /// True if another program deletes each user right before a request does.
    pub(crate) has_other_program: bool,
    /// The user before the last change.
    outdated: Value,
    remaining_outdated_reads: u32,
}

#[derive(Clone)]
pub(crate) struct Mock {
    pub(crate) url: String,
    service: Arc<Mutex<Service>>,
}

impl Mock {
    /// Starts the service on a free port.
    pub(crate) fn start() -> Mock {
        let server = Server::http("127.0.0.1:0").expect("a free port");
        let mock = Mock { url: format!("http://{}/v1/", server.server_addr()), service: Arc::default() };
        let thread = mock.clone();
        thread::spawn(move || {
            for mut request in server.incoming_requests() {
                let (status, body) = thread.service().respond(&mut request);
                let mut response = Response::from_string(body.to_string()).with_status_code(status);
                if status == 429 {
                    response.add_header(Header::from_bytes("Retry-After", "30").expect("a header"));
                }
                // The client can have closed the connection.
                drop(request.respond(response));
            }
        });
        mock
    }

    /// Returns the state of the service, which waits while it is locked.
    pub(crate) fn service(&self) -> MutexGuard<'_, Service> {
        self.service.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    fn respond(&mut self, request: &mut Request) -> (u16, Value) {
        if self.rejected_requests > 0 {
            self.rejected_requests -= 1;
            return (429, Value::Null);
        }
        if !request.headers().iter().any(|it| it.value == format!("Bearer {TOKEN}")) {
            return (401, json!("invalid token"));
        }
        let body: Value = serde_json::from_reader(request.as_reader()).unwrap_or_default();
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        match (request.method(), path.strip_prefix("/v1/users")) {
            (Method::Post, Some("")) => self.create(body),
            (Method::Get, Some("")) => self.page(query.strip_prefix("page=")),
            (method, Some(id)) => self.user(method, id.trim_start_matches('/'), body),
            _ => (404, json!("unknown path")),
        }
    }

    fn create(&mut self, mut user: Value) -> (u16, Value) {
        if let Some((id, _)) = self.users.iter().find(|(_, it)| it["email"] == user["email"]) {
            return (409, json!({ "id": id }));
        }
        let id = format!("u-{}", self.users.len() + 1);
        user["id"] = json!(id);
        match self.write(&id, user, 1) {
            (200, user) => (201, user),
            rejection => rejection,
        }
    }

    fn page(&self, token: Option<&str>) -> (u16, Value) {
        let start = token.and_then(|it| it.parse().ok()).unwrap_or(0);
        let users: Vec<&Value> = self.users.values().skip(start).take(PAGE).collect();
        let end = start + users.len();
        let next = (end < self.users.len()).then(|| end.to_string());
        (200, json!({ "users": users, "next": next }))
    }

    fn user(&mut self, method: &Method, id: &str, body: Value) -> (u16, Value) {
        let Some(user) = self.users.get(id).cloned() else { return (404, json!("unknown user")) };
        match method {
            Method::Get if self.remaining_outdated_reads > 0 => {
                self.remaining_outdated_reads -= 1;
                if self.outdated.is_null() { (404, Value::Null) } else { (200, self.outdated.clone()) }
            }
            Method::Get => (200, user),
            Method::Put => {
                let mut changed = body;
                changed["id"] = json!(id);
                let revision = user["revision"].as_u64().unwrap_or_default() + 1;
                self.write(id, changed, revision)
            }
            Method::Delete => {
                self.users.remove(id);
                (if self.has_other_program { 404 } else { 204 }, Value::Null)
            }
            _ => (405, json!("unknown method")),
        }
    }

    fn write(&mut self, id: &str, mut user: Value, revision: u64) -> (u16, Value) {
        if !user["email"].as_str().is_some_and(|it| it.contains('@')) {
            return (422, json!({ "errors": { "email": "The address has no @." } }));
        }
        if user["name"] == "" {
            return (422, json!({ "errors": { "name": "The name is empty." } }));
        }
        user["revision"] = json!(revision);
        self.outdated = self.users.insert(id.to_owned(), user.clone()).unwrap_or_default();
        self.remaining_outdated_reads = self.outdated_reads;
        (200, user)
    }
}
