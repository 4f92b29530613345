//! The layers: the top-level modules of each crate, from the top layer to the bottom layer.

/// The layers of one crate.
pub(super) struct Layers {
    pub(super) folder: &'static str,
    /// A module may import from those after it.
    modules: &'static [&'static str],
}

impl Layers {
    /// Where a module is, counted from the top.
    pub(super) fn position(&self, module: &str) -> Option<usize> {
        self.modules.iter().position(|it| *it == module)
    }
}

/// Every crate whose modules are checked.
pub(super) const CRATES: &[Layers] = &[
    Layers {
        folder: "crates/engine",
        modules: &[
            "faults",
            "rpc",
            "provider_server",
            "state",
            "planning",
            "contract",
            "identity",
            "redaction",
            "provider",
            "request",
            "schema",
            "timeouts",
            "validator",
            "execution",
            "stored_state",
            "diagnostic_path",
            "display",
            "type_mismatch",
            "path_pattern",
            "diagnostic",
            "diagnostic_kind",
            "maybe",
        ],
    },
    Layers {
        folder: "crates/server",
        modules: &[
            "start",
            "service",
            "server",
            "services",
            "lead",
            "worker",
            "listen",
            "handshake",
            "stream",
            "whole",
            "pages",
            "tls",
            "debug",
            "log",
            "json",
            "clock",
            "call",
            "body",
            "error",
        ],
    },
    Layers {
        folder: "crates/ferroform",
        modules: &[
            "guide",
            "serve",
            "typed",
            "provider",
            "data_source",
            "resource",
            "identity",
            "moves",
            "root",
            "wait",
            "cx",
            "upgrade",
            "model",
            "timeouts",
            "access",
            "schema",
            "rule",
            "defaults",
            "attr",
            "view",
            "raw",
        ],
    },
];
