//! Diagnostics about failed contract checks and other bugs in the provider.

use std::fmt;

use crate::Diagnostic;
use crate::diagnostic_kind::{ContractCheck, DiagnosticKind, FailedCheck};

/// The check that a diagnostic reports as failed, if it reports one.
pub fn failed_check(diagnostic: &Diagnostic) -> Option<ContractCheck> {
    match diagnostic.kind() {
        DiagnosticKind::FailedCheck(it) => Some(it.check),
        _ => None,
    }
}

/// The error about a failed check.
pub fn contract_error(check: ContractCheck, message: String) -> Diagnostic {
    let detail = format!("{message}. {REPORT_TO_AUTHORS}");
    let kind = DiagnosticKind::FailedCheck(FailedCheck { check, message });
    Diagnostic::error(check.summary()).detail(detail).of_kind(kind)
}

/// The error about a bug in the provider.
pub fn provider_bug(summary: impl Into<String>, message: impl fmt::Display) -> Diagnostic {
    let message = message.to_string();
    let detail = format!("{}. {REPORT_TO_AUTHORS}", message.trim_end_matches('.'));
    Diagnostic::error(summary).detail(detail).of_kind(DiagnosticKind::ProviderBug)
}

/// The message of a diagnostic: for a failed check, without the path and the request for a bug report; for any other
/// diagnostic, its detail.
pub fn check_message(diagnostic: &Diagnostic) -> &str {
    match diagnostic.kind() {
        DiagnosticKind::FailedCheck(it) => &it.message,
        _ => &diagnostic.detail,
    }
}

/// The request for a bug report, which ends the detail of every diagnostic about a bug in the provider.
pub const REPORT_TO_AUTHORS: &str = "This is a bug in the provider; please report it to its authors.";
