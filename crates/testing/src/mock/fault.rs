//! Faults: deviations from the usual responses of a mock service.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::request::{Request, Response};

/// A deviation from the usual response to a request; see [`Service::inject`](super::Service::inject).
///
/// By default, a fault affects the next request only:
///
/// ```no_run
/// # fn example(service: ferroform_testing::mock::Service) {
/// use ferroform_testing::mock::Fault;
///
/// // The next two requests are rejected.
/// service.inject(Fault::status(503).times(2));
/// // The second POST request creates its object, but the provider does not receive the response.
/// service.inject(Fault::connection_closed().processed().when(|it| it.method == "POST").after(1));
/// # }
/// ```
#[derive(Clone)]
pub struct Fault {
    pub(super) effect: Effect,
    /// True if the service performs the request, although the response differs.
    pub(super) processed: bool,
    applies: Option<Predicate>,
    /// The number of matching requests before the first one that is affected.
    skipped: u64,
    /// The number of requests that are affected.
    remaining: u64,
}

/// A condition of requests.
type Predicate = Arc<dyn Fn(&Request) -> bool + Send + Sync>;

/// The difference from the usual response.
#[derive(Clone)]
pub(super) enum Effect {
    Respond(Response),
    CloseConnection,
    TimeOut,
    InvalidBody,
    Call(Arc<dyn Fn() + Send + Sync>),
}

/// The time after which a service that does not respond closes the connection.
pub(super) const TIMEOUT: Duration = Duration::from_secs(3600);

impl Fault {
    fn new(effect: Effect) -> Fault {
        Fault { effect, processed: false, applies: None, skipped: 0, remaining: 1 }
    }

    /// Responds with this status and does not perform the request.
    pub fn status(status: u16) -> Fault {
        Fault::response(Response::new(status, Value::Null))
    }

    /// Sends this response and does not perform the request.
    pub fn response(response: Response) -> Fault {
        Fault::new(Effect::Respond(response))
    }

    /// Closes the connection without a response.
    pub fn connection_closed() -> Fault {
        Fault::new(Effect::CloseConnection)
    }

    /// Does not respond for an hour, and then closes the connection. If the service uses the
    /// [test clock](super::Service::use_clock) of the provider, its methods immediately end at their deadlines.
    pub fn timeout() -> Fault {
        Fault::new(Effect::TimeOut)
    }

    /// Performs the request, but omits half of the response's body.
    pub fn invalid_body() -> Fault {
        Fault::new(Effect::InvalidBody).processed()
    }

    /// Calls a function when the request arrives, and then responds as usual. For example, the function cancels the
    /// operation with [`Harness::stop`](crate::Harness::stop).
    pub fn call(function: impl Fn() + Send + Sync + 'static) -> Fault {
        Fault::new(Effect::Call(Arc::new(function))).processed()
    }

    /// Performs the request nevertheless, so that only its response is lost.
    #[must_use]
    pub fn processed(self) -> Fault {
        Fault { processed: true, ..self }
    }

    /// Restricts the fault to requests for which `applies` returns true.
    #[must_use]
    pub fn when(self, applies: impl Fn(&Request) -> bool + Send + Sync + 'static) -> Fault {
        Fault { applies: Some(Arc::new(applies)), ..self }
    }

    /// Skips the first `requests` matching requests.
    #[must_use]
    pub fn after(self, requests: u64) -> Fault {
        Fault { skipped: requests, ..self }
    }

    /// Sets the number of affected requests. The default is 1.
    #[must_use]
    pub fn times(self, requests: u64) -> Fault {
        Fault { remaining: requests, ..self }
    }

    /// Affects all requests.
    #[must_use]
    pub fn always(self) -> Fault {
        self.times(u64::MAX)
    }

    /// Counts a request, and returns true if it is affected.
    pub(super) fn affects(&mut self, request: &Request) -> bool {
        if self.remaining == 0 || self.applies.as_ref().is_some_and(|it| !it(request)) {
            return false;
        }
        if self.skipped > 0 {
            self.skipped -= 1;
            return false;
        }
        self.remaining -= 1;
        true
    }
}

/// The fault as a noun phrase, such as `a response with the status 503`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.effect {
            Effect::Respond(response) => write!(f, "a response with the status {}", response.status),
            Effect::CloseConnection => f.write_str("a closed connection"),
            Effect::TimeOut => f.write_str("a request without a response"),
            Effect::InvalidBody => return f.write_str("a response with an incomplete body"),
            Effect::Call(_) => return f.write_str("a function call"),
        }?;
        if self.processed { f.write_str(" after the request was performed") } else { Ok(()) }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({self})")
    }
}
