//! The operations of [`MethodCx`](crate::MethodCx), and what is possible in several of them.

use ferroform_engine::provider::ListResults;

/// Reads or imports the object of a resource, or plans to destroy it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Read;
/// Plans a change of a resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan;
/// Creates, updates or deletes the object of a resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apply;
/// Reads a data source.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadData;
/// Reads a data source that is a lookup.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadLookup;
/// Opens an ephemeral resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open;
/// Renews or closes an ephemeral resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opened;
/// Plans an action.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanAction;
/// Invokes an action.
#[derive(Clone, Copy, Debug, Default)]
pub struct Invoke;
/// Lists the objects of a resource.
#[derive(Clone, Debug)]
pub struct List(pub(crate) ListResults);
/// Configures a state store, or accesses a state in it.
#[cfg(feature = "unstable-state-stores")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Store;

/// A type with a method of the operation `Op`, for example a resource with [`Apply`].
pub trait HasProvider<Op> {
    /// The provider.
    type Provider: Send + Sync + 'static;
}

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

impl Sealed for Read {}
impl Sealed for Plan {}
impl Sealed for Apply {}
impl Sealed for ReadData {}
impl Sealed for ReadLookup {}
impl Sealed for Open {}
impl Sealed for PlanAction {}

/// An operation with private state.
#[diagnostic::on_unimplemented(
    message = "this method has no private state",
    label = "no private state here",
    note = "only `create`, `read`, `update`, `delete`, `plan`, `plan_delete`, `import` and `move_from` of a resource have private state",
    note = "return the value as a computed attribute instead"
)]
pub trait PrivateState: Sealed {}
impl PrivateState for Read {}
impl PrivateState for Plan {}
impl PrivateState for Apply {}

/// An operation that can be deferred.
#[diagnostic::on_unimplemented(
    message = "this operation cannot be deferred",
    label = "cannot be deferred here",
    note = "Terraform defers `read`, `import`, `plan` and `plan_delete` of resources, `read` of data sources, `open` of \
            ephemeral resources, and `plan` of actions",
    note = "in other methods, return an error: `return Err(Diagnostic::error(\"…\").into())`"
)]
pub trait Defer: Sealed {}
impl Defer for Read {}
impl Defer for Plan {}
impl Defer for ReadData {}
impl Defer for ReadLookup {}
impl Defer for Open {}
impl Defer for PlanAction {}
