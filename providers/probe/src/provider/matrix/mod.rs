//! The behaviors of SDKv2: for each group, a resource with one attribute for each behavior. The remote object is as
//! planned, so `read` only returns what a test writes.

mod balancer;
mod course;
mod fixed;
mod group;
mod methods;
mod origin;
mod primitive;
mod soft;

use ferroform::Registry;

use super::Probe;

/// Every resource of the matrix.
pub(super) fn register(registry: &mut Registry<Probe>, name: &str) {
    registry
        .resource::<primitive::Primitive>(format!("{name}_primitive"))
        .resource::<primitive::Required>(format!("{name}_required"))
        .resource::<origin::Origin>(format!("{name}_origin"))
        .resource::<fixed::Fixed>(format!("{name}_fixed"))
        .resource::<soft::Soft>(format!("{name}_soft"))
        .resource::<group::Group>(format!("{name}_group"))
        .resource::<course::Course>(format!("{name}_course"))
        .resource::<balancer::Balancer>(format!("{name}_balancer"));
    if crate::HAS_NESTED_ATTRIBUTES {
        registry.resource::<soft::Nested>(format!("{name}_softnested"));
    }
}
