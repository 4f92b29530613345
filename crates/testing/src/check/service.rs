//! The injection of faults into a simulated service.

/// A fault of a service at one request; see [`FaultInjection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceFault {
    /// The service responds with an error, and does not process the request.
    Error,
    /// The service responds that there are too many requests, and does not process the request.
    RateLimit,
    /// The connection ends before the service has processed the request.
    ConnectionReset,
    /// The service processes the request, but the response is lost.
    LostResponse,
}

impl ServiceFault {
    pub(super) const ALL: [ServiceFault; 4] = [
        ServiceFault::Error,
        ServiceFault::LostResponse,
        ServiceFault::RateLimit,
        ServiceFault::ConnectionReset,
    ];

    /// The fault as a sentence about a request, such as ``request 2 of `create` ``.
    pub(super) fn description(self, request: &str) -> String {
        match self {
            ServiceFault::Error => format!("{request} fails with an error"),
            ServiceFault::RateLimit => format!("{request} fails with a rate limit error"),
            ServiceFault::ConnectionReset => format!("{request} fails with a connection reset"),
            ServiceFault::LostResponse => format!("the response to {request} is lost"),
        }
    }
}

/// Fault injection into a simulated service, such as a mock of an HTTP API.
///
/// Implement this trait for the simulated service of your tests, and pass the service to
/// [`ProviderCheck::service`](crate::ProviderCheck::service). The check then makes each request fail, and finds objects that exist in
/// the service, but not in the state.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::{Arc, Mutex};
///
/// use ferroform_testing::{FaultInjection, ServiceFault};
///
/// /// A service that stores strings by ID.
/// #[derive(Clone, Default)]
/// struct Service(Arc<Mutex<State>>);
///
/// #[derive(Default)]
/// struct State {
///     objects: BTreeMap<String, String>,
///     requests: usize,
///     fault: Option<(usize, ServiceFault, bool)>,
/// }
///
/// impl Service {
///     fn put(&self, id: &str, text: &str) -> Result<(), String> {
///         let mut state = self.0.lock().unwrap();
///         let number = state.requests;
///         state.requests += 1;
///         let fault = state.fault.filter(|(at, _, repeats)| number == *at || *repeats && number > *at);
///         if fault.is_none_or(|(_, fault, _)| fault == ServiceFault::LostResponse) {
///             state.objects.insert(id.to_owned(), text.to_owned());
///         }
///         fault.map_or(Ok(()), |_| Err("Service Unavailable".to_owned()))
///     }
/// }
///
/// impl FaultInjection for Service {
///     fn request_count(&self) -> usize {
///         self.0.lock().unwrap().requests
///     }
///
///     fn inject(&self, request: usize, fault: ServiceFault, repeats: bool) {
///         self.0.lock().unwrap().fault = Some((request, fault, repeats));
///     }
///
///     fn clear_faults(&self) {
///         self.0.lock().unwrap().fault = None;
///     }
///
///     // This service is always consistent.
///     fn set_read_lag(&self, _: usize) {}
///
///     fn objects(&self) -> Vec<String> {
///         self.0.lock().unwrap().objects.keys().cloned().collect()
///     }
///
///     fn remove(&self, object: &str) {
///         self.0.lock().unwrap().objects.remove(object);
///     }
/// }
///
/// let service = Service::default();
/// service.inject(1, ServiceFault::LostResponse, false);
/// assert!(service.put("a", "one").is_ok());
/// assert!(service.put("b", "two").is_err());
/// assert_eq!(service.objects(), ["a", "b"]);
/// ```
pub trait FaultInjection: Send + Sync {
    /// The number of requests so far.
    fn request_count(&self) -> usize;
    /// Injects a fault into the request with this index, counted from 0 since the start of the service. If `repeats` is true, all
    /// later requests fail, too.
    fn inject(&self, request: usize, fault: ServiceFault, repeats: bool);
    /// Removes all faults, and makes reads consistent again.
    fn clear_faults(&self);
    /// Makes the next reads after each write return the object before the write (eventual consistency).
    fn set_read_lag(&self, reads: usize);
    /// The names of the objects that exist, which are unique in the service.
    fn objects(&self) -> Vec<String>;
    /// Removes an object.
    fn remove(&self, object: &str);
}

/// The objects of the service that are not in `before`.
pub(super) fn new_objects(service: &dyn FaultInjection, before: &[String]) -> Vec<String> {
    service.objects().into_iter().filter(|it| !before.contains(it)).collect()
}
