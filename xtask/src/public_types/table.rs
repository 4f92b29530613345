//! The types of other crates that may be in public signatures, with the reasons.

/// The foreign types in the public signatures of one crate.
pub(super) struct Allowed {
    /// The folder of the crate.
    pub(super) folder: &'static str,
    /// The path of each type, and the reason.
    pub(super) types: &'static [(&'static str, &'static str)],
}

/// The published crates. `crates/proto` is omitted: it consists of generated code for `prost` and `tonic`, and the
/// public signatures of the other crates contain none of its types.
pub(super) const ALLOWED: &[Allowed] = &[
    Allowed { folder: "crates/value", types: &[] },
    Allowed { folder: "crates/lang", types: &[] },
    Allowed {
        folder: "crates/engine",
        types: &[
            ("tokio::runtime::Handle", "the server passes the runtime of the framework's timers"),
            ("tokio::sync::mpsc::Sender", "the server receives the progress messages of actions"),
            ("tokio_util::sync::CancellationToken", "the server cancels the RPCs of a closed connection"),
        ],
    },
    Allowed {
        folder: "crates/server",
        types: &[
            ("tokio::io::AsyncRead", "an embedding application supplies its own connection"),
            ("tokio::io::AsyncWrite", "an embedding application supplies its own connection"),
            ("tonic::body::Body", "the generated gRPC clients call the connection to a plugin"),
            ("tonic::codegen::Service", "the generated gRPC clients call the connection to a plugin"),
            ("tonic::codegen::http::Request", "the generated gRPC clients call the connection to a plugin"),
            ("tonic::codegen::tokio_stream::Stream", "an embedding application supplies its own connections"),
            ("tracing::Subscriber", "the log layer is one of the application's layers"),
            ("tracing_subscriber::Layer", "the log layer is one of the application's layers"),
            ("tracing_subscriber::registry::LookupSpan", "the log layer is one of the application's layers"),
        ],
    },
    Allowed {
        folder: "crates/ferroform",
        types: &[
            ("ipnet::IpNet", "an attribute type, behind a feature"),
            ("ipnet::Ipv4Net", "an attribute type, behind a feature"),
            ("ipnet::Ipv6Net", "an attribute type, behind a feature"),
            ("jiff::SignedDuration", "an attribute type, behind a feature"),
            ("jiff::Timestamp", "an attribute type, behind a feature"),
            ("num_bigint::BigInt", "an attribute type, behind a feature"),
            ("rust_decimal::Decimal", "an attribute type, behind a feature"),
            ("serde_json::Value", "an attribute type, behind a feature"),
            ("tracing::Subscriber", "the log layer is one of the application's layers"),
            ("tracing_subscriber::registry::LookupSpan", "the log layer is one of the application's layers"),
            ("url::Url", "an attribute type, behind a feature"),
            ("uuid::Uuid", "an attribute type, behind a feature"),
        ],
    },
    Allowed {
        folder: "crates/testing",
        types: &[("serde_json::Value", "the output of `terraform show -json`")],
    },
];
