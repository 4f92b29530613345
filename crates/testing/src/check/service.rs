//! A service whose faults the checker controls.

/// A fault of a service at one request; see [`FaultyService`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceFault {
    /// The service responds with an error, and does not process the request.
    Error,
    /// The connection ends before the service has processed the request.
    ConnectionReset,
    /// The service processes the request, but the response is lost.
    LostResponse,
}

impl ServiceFault {
    pub(super) const ALL: [ServiceFault; 3] =
        [ServiceFault::Error, ServiceFault::ConnectionReset, ServiceFault::LostResponse];

    /// The subject and the verb of a sentence about a request.
    pub(super) fn description(self) -> &'static str {
        match self {
            ServiceFault::Error => "the service rejects",
            ServiceFault::ConnectionReset => "the connection is reset before",
            ServiceFault::LostResponse => "the response is lost to",
        }
    }
}

/// A simulated service that the checker controls, such as a mock of an HTTP API.
///
/// [`ProviderCheck::service`](crate::ProviderCheck::service) takes it. Implement it for the simulated service of your own tests: the
/// checker then lets each request fail, and finds objects that the provider has lost.
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
