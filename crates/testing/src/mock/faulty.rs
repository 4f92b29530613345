//! The mock as a service whose faults `check_provider` controls.

use super::{Fault, Service};
use crate::check::{FaultyService, ServiceFault};

impl FaultyService for Service {
    fn requests(&self) -> usize {
        self.request_count()
    }

    fn inject(&self, request: usize, fault: ServiceFault, repeats: bool) {
        let fault = match fault {
            ServiceFault::Error => Fault::status(500),
            ServiceFault::RateLimit => Fault::status(429),
            ServiceFault::ConnectionReset => Fault::connection_closed(),
            ServiceFault::LostResponse => Fault::connection_closed().processed(),
        };
        let skipped = request.saturating_sub(self.request_count()) as u64;
        let fault = fault.after(skipped);
        Service::inject(self, if repeats { fault.always() } else { fault });
    }

    fn repair(&self) {
        self.clear_faults();
        Service::lag(self, 0);
    }

    fn lag(&self, reads: usize) {
        Service::lag(self, u32::try_from(reads).unwrap_or(u32::MAX));
    }

    fn objects(&self) -> Vec<String> {
        Service::objects(self).into_keys().collect()
    }

    fn remove(&self, object: &str) {
        if let Some((collection, id)) = object.rsplit_once('/') {
            self.collection(collection).remove(id);
        }
    }
}
