//! Traits of models that can be a resource, a data source, the configuration of a provider, or provider metadata.
//!
//! `#[derive(Model)]` implements these traits for every model, with conditions on its fields. If a condition does not
//! hold, the compiler reports it at `impl Resource`, `impl DataSource`, `impl Provider` or `Registry::provider_meta`,
//! and points to the field. Provider authors do not implement or name them.

/// A model that can be a resource: no attribute has a name that Terraform reserves there.
pub trait ResourceModel {}

/// A model that can be a data source: no attribute has a reserved name, and none is write-only.
pub trait DataSourceModel {}

/// A model that can be the configuration of a provider: no attribute has a reserved name, and none is write-only or
/// computed.
pub trait ProviderConfigModel {}

/// A model that can be a `provider_meta` block: the conditions of a data source apply, and no attribute is computed.
pub trait ProviderMetaModel {}

impl ResourceModel for () {}
impl DataSourceModel for () {}
impl ProviderConfigModel for () {}
impl ProviderMetaModel for () {}

/// The condition that a field with a reserved name can never meet.
#[diagnostic::on_unimplemented(
    message = "an attribute has a name that Terraform reserves",
    label = "this use does not allow an attribute with that name",
    note = "reserved names are connection, count, depends_on, for_each, lifecycle, provider and provisioner, and in the configuration of a provider alias and version",
    note = "rename the attribute: `#[attr(rename = \"…\")]`"
)]
pub trait NameIsAllowed {}

/// A reserved name.
#[derive(Debug)]
pub enum ReservedName {}

/// The condition on [`WriteOnlyAttributes`].
#[diagnostic::on_unimplemented(
    message = "only a resource can have write-only attributes",
    label = "this use does not allow write-only attributes",
    note = "remove `write_only` from the attribute"
)]
pub trait HasNoWriteOnly {}

/// Whether the model contains write-only attributes.
#[derive(Debug)]
pub struct WriteOnlyAttributes<const PRESENT: bool>;

impl HasNoWriteOnly for WriteOnlyAttributes<false> {}

/// The condition on [`ComputedAttributes`].
#[diagnostic::on_unimplemented(
    message = "the configuration of a provider and provider metadata cannot have computed attributes",
    label = "this use does not allow computed attributes",
    note = "remove `computed` from the attribute: only the practitioner sets it"
)]
pub trait HasNoComputed {}

/// Whether the model contains computed attributes.
#[derive(Debug)]
pub struct ComputedAttributes<const PRESENT: bool>;

impl HasNoComputed for ComputedAttributes<false> {}

/// Checks that no identity attribute has a reserved name.
pub const fn assert_identity_names<T: ResourceModel>() {}
