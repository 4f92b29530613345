//! Messages that are written by hand instead of being generated.

use std::fmt;

use crate::tfplugin6::{DynamicValue, RawState};

/// `google.protobuf.Timestamp`: a point in time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z.
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    /// Nanoseconds within the second, counted forward in time.
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

// Values may be sensitive, and `{:?}` may end up in logs, so only lengths are printed.

impl fmt::Debug for DynamicValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynamicValue({} bytes)", self.msgpack.len() + self.json.len())
    }
}

impl fmt::Debug for RawState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawState({} bytes, {} flat entries)", self.json.len(), self.flatmap.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_printed() {
        let value = DynamicValue { msgpack: "secret".into(), json: bytes::Bytes::new() };
        assert_eq!(format!("{value:?}"), "DynamicValue(6 bytes)");
        let state = RawState { json: "secret".into(), flatmap: [("secret".into(), "too".into())].into() };
        assert_eq!(format!("{state:?}"), "RawState(6 bytes, 1 flat entries)");
    }
}
