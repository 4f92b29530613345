//! Kinds of diagnostics: code that has to distinguish diagnostics compares kinds, never messages.

use ferroform_value::Error;

/// The kind of problem that a diagnostic reports. A kind stays with its diagnostic when
/// [`context`](crate::Context::context) or [`at`](crate::Context::at) changes the summary, the detail or the path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DiagnosticKind {
    /// Everything that no code has to recognize, such as the diagnostics of provider authors.
    #[default]
    Other,
    /// The method was interrupted because the practitioner asked Terraform to stop.
    Cancelled,
    /// The method was interrupted at its deadline, which the `timeouts` attribute sets.
    DeadlineExceeded,
    /// A `Wait` ended at its own timeout.
    WaitTimedOut,
    /// A `Wait` did not find the object.
    NotFound,
    /// A `Wait` found the object in a state that is neither pending nor a target.
    UnexpectedState,
    /// The method defers its operation. The engine replaces the diagnostic with the deferred response, or with an error
    /// if Terraform does not support deferred actions.
    Deferred,
    /// Terraform needs no more results of a list. The engine drops the diagnostic.
    ListComplete,
    /// The operation needs the provider, but the provider's configuration has unknown values.
    ProviderNotConfigured,
    /// The identity of an object does not follow from its attributes. The engine then uses the identity that a method has
    /// set, or the stored one.
    IdentityNotInObject,
    /// The Rust type of the attribute cannot hold the value.
    ConversionError(ConversionError),
    /// A validator requires a number in another range. Contains the error with the path inside the attribute.
    NumberOutOfRange(Error),
    /// The schema does not allow the combination of attributes that is configured.
    InvalidCombination,
    /// The configuration sets an attribute that only the provider may set.
    ReadOnlyAttributeSet,
    /// An operation has failed in all attempts of a `Retry`.
    RetriesFailed,
    /// The configuration contains an argument or a block that is not in the schema.
    UnsupportedArgumentOrBlock,
    /// Two elements of a set are equal once their defaults are applied.
    DuplicateElement,
    /// The provider's response fails one of the checks that Terraform applies to responses.
    FailedCheck(FailedCheck),
    /// The provider has another bug: a panic or an invalid definition.
    ProviderBug,
}

/// A value that the Rust type of its attribute cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversionError {
    /// The detail for a sensitive value: it does not depend on the value.
    pub redacted: String,
}

/// A response that fails one of Terraform's checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCheck {
    /// The check.
    pub check: ContractCheck,
    /// A description of the failure, without the path and without the request for a bug report.
    pub message: String,
}

/// The checks that a provider's response has to pass. All but the last two are Terraform's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractCheck {
    /// The planned state agrees with the configuration and the prior state: `AssertPlanValid` in Terraform.
    Plan,
    /// The second plan agrees with the known values of the first plan.
    FinalPlan,
    /// The new state agrees with the known values of the planned state: `AssertObjectCompatible` in Terraform.
    Result,
    /// The state is wholly known and conforms to the schema.
    State,
    /// The value conforms to the type in the schema.
    Value,
    /// The identity of an object does not change.
    Identity,
    /// The values of a checkpoint agree with the planned state.
    Checkpoint,
}

impl ContractCheck {
    /// The summary of a diagnostic about a failed check. Where Terraform or the Go framework reports the same failure,
    /// it is their summary.
    pub fn summary(self) -> &'static str {
        match self {
            ContractCheck::Plan => "Provider produced invalid plan",
            ContractCheck::FinalPlan => "Provider produced inconsistent final plan",
            ContractCheck::Result => "Provider produced inconsistent result after apply",
            ContractCheck::State | ContractCheck::Value => "Provider produced invalid object",
            ContractCheck::Identity => "Unexpected Identity Change",
            ContractCheck::Checkpoint => "Provider produced invalid checkpoint",
        }
    }
}
