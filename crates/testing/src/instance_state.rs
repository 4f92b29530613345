//! The state that the harness keeps between two steps, as Terraform does.

use ferroform::value::Value;

/// The state of a resource instance.
#[derive(Clone)]
pub(crate) struct InstanceState {
    pub(crate) value: Value,
    pub(crate) private: Vec<u8>,
    pub(crate) identity: Option<Value>,
    pub(crate) tainted: bool,
}

impl InstanceState {
    /// The state of an untainted object without an identity.
    pub(crate) fn new(value: Value, private: Vec<u8>) -> InstanceState {
        InstanceState { value, private, identity: None, tainted: false }
    }
}
