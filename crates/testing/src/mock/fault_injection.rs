//! Fault injection by `check_provider` into the mock.

use super::request::decode;
use super::{Fault, Service, Store};
use crate::check::{FaultInjection, ServiceFault};

impl FaultInjection for Service {
    fn request_count(&self) -> usize {
        Service::request_count(self)
    }

    fn inject(&self, request: usize, fault: ServiceFault, repeats: bool) {
        let fault = match fault {
            ServiceFault::Error => Fault::status(500),
            ServiceFault::RateLimit => Fault::status(429),
            ServiceFault::ConnectionReset => Fault::connection_closed(),
            ServiceFault::LostResponse => Fault::connection_closed().processed(),
        };
        let skipped = request.saturating_sub(Service::request_count(self)) as u64;
        let fault = fault.after(skipped);
        Service::inject(self, if repeats { fault.always() } else { fault });
    }

    fn clear_faults(&self) {
        Service::clear_faults(self);
        Service::lag(self, 0);
        self.state().collections.values_mut().for_each(Store::end_stale_reads);
    }

    fn set_read_lag(&self, reads: usize) {
        Service::lag(self, u32::try_from(reads).unwrap_or(u32::MAX));
    }

    fn objects(&self) -> Vec<String> {
        Service::objects(self).into_keys().collect()
    }

    fn remove(&self, object: &str) {
        if let Some((collection, id)) = object.rsplit_once('/') {
            self.collection(collection).remove(&decode(id));
        }
    }
}
