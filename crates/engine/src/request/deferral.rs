//! Deferred actions: operations that a provider cannot perform yet.
//!
//! Example: the `plan` method returns `Err(cx.defer(Deferral::AbsentPrerequisite))`, because the network does not exist
//! yet. `id` is computed.
//!
//! ```text
//! prior state             null
//! configuration           { network = "net-1" }
//!
//! deferral is allowed     deferred: AbsentPrerequisite; no error
//!   planned state         { network = "net-1", id = unknown }     the proposed new state
//! deferral not allowed    an error with the reason; no plan
//! ```
//!
//! Terraform allows deferral only in experimental builds with `-allow-deferral`.

/// The reason for a deferral: [`cx.defer(reason)`](crate::RequestContext::defer).
///
/// ```
/// use ferroform_engine::{Clock, Deferral, RequestContext, Result};
///
/// /// A client that cannot find its network yet.
/// fn network(cx: &RequestContext, found: Option<u64>) -> Result<u64> {
///     found.ok_or_else(|| cx.defer(Deferral::AbsentPrerequisite))
/// }
///
/// let cx = RequestContext::detached(Clock::test());
/// assert!(network(&cx, None).unwrap_err().iter().all(|it| it.is_deferral()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deferral {
    /// Any other reason.
    Other,
    /// The configuration of the resource or data source depends on values that are not known yet.
    ConfigUnknown,
    /// The provider's configuration depends on values that are not known yet.
    ProviderConfigUnknown,
    /// The operation needs an object that does not exist yet.
    AbsentPrerequisite,
}

impl Deferral {
    /// The reason as a clause that follows "because".
    pub(crate) fn clause(self) -> &'static str {
        match self {
            Deferral::Other => "the provider cannot perform it yet",
            Deferral::ConfigUnknown => "its configuration depends on values that are not known yet",
            Deferral::ProviderConfigUnknown => {
                "the provider's configuration depends on values that are not known yet"
            }
            Deferral::AbsentPrerequisite => "a prerequisite does not exist yet",
        }
    }
}

/// How resources and data sources behave while the provider is not configured: the provider's `configure` method has
/// returned [`Unknown`](crate::Unknown), because the configuration has unknown values.
///
/// ```
/// # struct Cloud;
/// use ferroform::{Registry, UnknownConfig};
///
/// // In an implementation of `Provider`:
/// fn register(registry: &mut Registry<Cloud>) {
///     registry.unknown_config(UnknownConfig::Reject);
/// }
/// ```
///
/// | operation | `Defer`, deferral supported | `Defer`, otherwise | `Proceed` | `Reject`, without deferral |
/// |---|---|---|---|---|
/// | plan of a resource without `plan` | deferred | planned from the schema | planned from the schema | planned from the schema |
/// | plan of a resource with `plan` or `plan_delete` | deferred | planned from the schema | planned from the schema | error |
/// | read of an existing object | deferred | keeps the state, with a warning | keeps the state, with a warning | error |
/// | import, data source | deferred | error | deferred or error | error |
///
/// Terraform supports deferral only in experimental builds with the flag `-allow-deferral`, so most practitioners see the
/// column "otherwise".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownConfig {
    /// Every operation is deferred if Terraform supports deferred actions. Otherwise, operations that do not need the
    /// provider proceed as with `Proceed`.
    #[default]
    Defer,
    /// Operations that do not need the provider proceed, whether or not Terraform supports deferred actions: `plan` and
    /// `plan_delete` are not called, so the plan follows from the schema, and `read` leaves the state unchanged. Imports
    /// and data sources are deferred or return errors.
    ///
    /// During apply, Terraform plans again with the configured provider, and then `plan` is called. It can set values
    /// that were planned as unknown. If it requires replacement or changes another value, Terraform rejects the final
    /// plan as inconsistent.
    Proceed,
    /// Every operation is deferred if Terraform supports deferred actions. Otherwise, an operation that calls a method of
    /// the provider returns an error that explains which resources to apply first. For a provider whose `plan` methods
    /// require replacement or change planned values.
    Reject,
}
