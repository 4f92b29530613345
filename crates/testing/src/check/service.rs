//! A service whose faults the checker controls.

/// A fault of a service at one request; see [`FaultyService`].
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
        ServiceFault::RateLimit,
        ServiceFault::ConnectionReset,
        ServiceFault::LostResponse,
    ];

    /// The subject and the verb of a sentence about a request.
    pub(super) fn description(self) -> &'static str {
        match self {
            ServiceFault::Error => "the service rejects",
            ServiceFault::RateLimit => "because of too many requests, the service rejects",
            ServiceFault::ConnectionReset => "the connection is reset before",
            ServiceFault::LostResponse => "the response is lost to",
        }
    }
}

/// A simulated service that the checker controls, such as a mock of an HTTP API.
///
/// [`ProviderCheck::service`](crate::ProviderCheck::service) takes it. Implement it for the simulated service of your own tests: the
/// checker then lets each request fail, and finds objects that the provider has lost.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::{Arc, Mutex};
///
/// use ferroform_testing::{FaultyService, ServiceFault};
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
/// impl FaultyService for Service {
///     fn requests(&self) -> usize {
///         self.0.lock().unwrap().requests
///     }
///
///     fn inject(&self, request: usize, fault: ServiceFault, repeats: bool) {
///         self.0.lock().unwrap().fault = Some((request, fault, repeats));
///     }
///
///     fn repair(&self) {
///         self.0.lock().unwrap().fault = None;
///     }
///
///     // This service is always consistent.
///     fn lag(&self, _: usize) {}
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
pub trait FaultyService: Send + Sync {
    /// The number of requests so far.
    fn requests(&self) -> usize;
    /// Lets a request fail: the one before which there were this many requests. `repeats` lets all later ones fail, too.
    fn inject(&self, request: usize, fault: ServiceFault, repeats: bool);
    /// Ends all faults, and the lag of reads.
    fn repair(&self);
    /// Lets the next reads after each write return the state before the write.
    fn lag(&self, reads: usize);
    /// The names of the objects that exist.
    fn objects(&self) -> Vec<String>;
    /// Removes an object.
    fn remove(&self, object: &str);
}
