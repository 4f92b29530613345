//! What may stand at the root of a schema. `#[derive(Model)]` says it of every model; where it is not so, rustc says
//! why at `impl Resource`, `impl DataSource`, `impl Provider` or `Registry::meta`, and points to the field.

/// A model that can be a resource: no attribute has a name that Terraform keeps for itself there.
pub trait ResourceRoot {}

/// A model that can be a data source: as a resource, and nothing in it is write-only.
pub trait DataSourceRoot {}

/// A model that can be the configuration of a provider: no attribute has a name that Terraform keeps for itself
/// there, and nothing in it is write-only or computed.
pub trait ProviderRoot {}

/// A model that can be what modules say to a provider: as a data source, and nothing in it is computed.
pub trait MetaRoot {}

impl ResourceRoot for () {}
impl DataSourceRoot for () {}
impl ProviderRoot for () {}
impl MetaRoot for () {}

/// Used by the derive: what a field with a reserved name asks for in vain.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an attribute has a name that Terraform keeps for itself",
    label = "cannot stand here with an attribute of that name",
    note = "reserved are connection, count, depends_on, for_each, lifecycle, provider and provisioner, and in the configuration of a provider alias and version",
    note = "`#[attr(rename = \"…\")]` gives the attribute another name"
)]
pub trait IsFree {}

/// Used by the derive: a name that is reserved.
#[doc(hidden)]
#[derive(Debug)]
pub enum Name {}

/// Used by the derive: what is asked of [`WriteOnly`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "only a resource can have write-only attributes",
    label = "cannot stand here with a write-only attribute"
)]
pub trait IsAbsent {}

/// Used by the derive: whether something is write-only.
#[doc(hidden)]
#[derive(Debug)]
pub struct WriteOnly<const IS: bool>;

impl IsAbsent for WriteOnly<false> {}

/// Used by the derive: what is asked of [`Computed`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the configuration of a provider, and what modules say to it, is set by the practitioner, so it cannot have computed attributes",
    label = "cannot stand here with a computed attribute"
)]
pub trait IsWritten {}

/// Used by the derive: whether something is computed.
#[doc(hidden)]
#[derive(Debug)]
pub struct Computed<const IS: bool>;

impl IsWritten for Computed<false> {}

/// Used by the derive: that no part of an identity has a name that Terraform keeps for itself.
#[doc(hidden)]
pub const fn identity_root<T: ResourceRoot>() {}
