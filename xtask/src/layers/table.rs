//! The layers: the top-level modules of each crate, from the top layer to the bottom layer.

/// The layers of one crate.
pub(super) struct Layers {
    pub(super) folder: &'static str,
    /// A module may import from those after it.
    modules: &'static [&'static str],
}

impl Layers {
    /// The position of a module from the top.
    pub(super) fn position(&self, module: &str) -> Option<usize> {
        self.modules.iter().position(|it| *it == module)
    }
}

/// Every crate whose modules are checked.
pub(super) const CRATES: &[Layers] = &[
    Layers {
        folder: "crates/engine",
        modules: &[
            "definition_errors",
            "rpc",
            "provider_server",
            "diagnostic_path",
            "resource_identity",
            "run_method",
            "contract",
            "planning",
            "state",
            "element_matching",
            "redaction",
            "provider",
            "stored_state",
            "request",
            "schema",
            "timeouts",
            "validator",
            "type_mismatch",
            "path_pattern",
            "panics",
            "failed_check",
            "diagnostic",
            "diagnostic_kind",
            "concurrency",
            "walk",
            "maybe",
        ],
    },
    Layers {
        folder: "crates/server",
        modules: &[
            "start",
            "services",
            "service",
            "server",
            "handshake",
            "debug",
            "listen",
            "tls",
            "log",
            "standard_streams",
            "service_context",
            "executor",
            "body",
            "environment",
            "error",
            "protocol",
        ],
    },
    Layers {
        folder: "crates/ferroform",
        modules: &[
            "guide",
            "serve",
            "typed",
            "resource",
            "data_source",
            "provider",
            "derive_support",
            "root",
            "optional_method",
            "wait",
            "request_cx",
            "raw_state",
            "access",
            "schema",
            "validators",
            "defaults",
            "attr",
            "model_kinds",
            "model",
            "raw",
        ],
    },
];
