//! Providers that run in the test process, their log and the sensitive values that it must not contain.

use std::sync::{Arc, Mutex};

use ferroform::Clock;
use ferroform_engine::ProviderServer;
use ferroform_server::ReattachServer;

use super::Output;
use crate::Invariant;
use crate::harness::lock;
use crate::invariant::Violation;
use crate::log_capture::LogCapture;
use crate::sensitive_values::SensitiveValues;
use crate::terraform::ServerFactory;

/// A provider that runs in the test process.
pub(super) struct Attached {
    pub(super) address: String,
    pub(super) create: ServerFactory,
    /// The server to which a CLI reattaches; `None` in process.
    pub(super) server: Option<ReattachServer>,
}

/// Observes the attached providers of a workspace.
#[derive(Clone)]
pub(super) struct Monitor {
    pub(super) clock: Clock,
    pub(super) log: LogCapture,
    sensitive_values: Arc<Mutex<SensitiveValues>>,
    checks_secrets: bool,
}

impl Monitor {
    pub(super) fn new() -> Monitor {
        Monitor {
            clock: Clock::test(),
            log: LogCapture::default(),
            sensitive_values: Arc::default(),
            checks_secrets: true,
        }
    }

    pub(super) fn skip_secrets(&mut self) {
        self.checks_secrets = false;
    }

    /// Wraps the creation of a provider's servers, so that the monitor knows the sensitive values of their requests.
    pub(super) fn observe(
        &self,
        create: impl Fn() -> ProviderServer + Send + Sync + 'static,
    ) -> ServerFactory {
        let sensitive_values = Arc::clone(&self.sensitive_values);
        Arc::new(move || {
            let server = create();
            for (owner, _) in server.provider().definitions().iter() {
                lock(&sensitive_values).show(owner.name);
            }
            let recorded = Arc::clone(&sensitive_values);
            server.with_observer(Arc::new(move |block, object| lock(&recorded).record(block, object)))
        })
    }

    /// Replaces every sensitive value in the text.
    pub(super) fn redact(&self, text: &str) -> String {
        lock(&self.sensitive_values).redact(text)
    }

    /// Fails the test if a log line of a provider or a diagnostic contains a sensitive value.
    pub(super) fn check(&self, output: &Output) {
        let sensitive = lock(&self.sensitive_values).clone();
        if !self.checks_secrets || sensitive.is_empty() {
            return;
        }
        let lines = self.log.since(0).into_iter().map(|it| ("a log line", it));
        let diagnostics = output.diagnostics.iter();
        let diagnostics = diagnostics.map(|it| ("a diagnostic", format!("{}: {}", it.summary, it.detail)));
        let mut found = lines.chain(diagnostics).filter_map(|(kind, text)| {
            let path = sensitive.find_in(&text)?.clone();
            let problem = format!("{kind} contains this sensitive value: {}", sensitive.redact(&text));
            Some(Violation::new(Invariant::SecretsAreRedacted, &output.command, path, problem))
        });
        if let Some(violation) = found.next() {
            panic!("{violation}");
        }
    }
}
