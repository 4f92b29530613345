//! Conditions that the model of a resource, of a list resource, of a data source, of a provider's configuration, or of provider metadata must
//! meet.
//!
//! `#[derive(Model)]` implements these traits for every model that meets the condition. If a model does not meet it, the
//! compiler reports it at `impl Resource`, `impl DataSource`, `impl Provider` or `Registry::provider_meta`. Provider
//! authors do not implement or name these traits.

use crate::model::attr::Attr;

/// No attribute or block has a name that Terraform reserves in resources, data sources and provider metadata.
#[diagnostic::on_unimplemented(
    message = "an attribute or block of `{Self}` has a name that Terraform reserves: use `#[attr(rename = \"…\")]`",
    label = "this model has an attribute or block with a reserved name",
    note = "reserved names are connection, count, depends_on, for_each, lifecycle, provider and provisioner",
    note = "the attributes of flattened models count too"
)]
pub trait NoReservedNames {
    /// Used by the derive: naming this constant checks the condition.
    #[doc(hidden)]
    const __CHECKED: () = ();
}

/// No attribute or block has a name that Terraform reserves in the configuration of a provider.
#[diagnostic::on_unimplemented(
    message = "an attribute or block of `{Self}` has a name that Terraform reserves: use `#[attr(rename = \"…\")]`",
    label = "this model has an attribute or block with a reserved name",
    note = "in the configuration of a provider, alias and version are reserved",
    note = "a block cannot be named connection, count, depends_on, for_each, lifecycle, provider or provisioner either"
)]
pub trait NoReservedProviderNames {}

/// No attribute is write-only, at any depth. Only a resource can have write-only attributes.
#[diagnostic::on_unimplemented(
    message = "only a resource can have `#[attr(write_only)]` attributes: remove `write_only` from `{Self}`",
    label = "this model contains write-only attributes",
    note = "the attributes of nested and flattened models count too"
)]
pub trait NoWriteOnlyAttributes {}

/// No attribute is computed, at any depth. Only the practitioner sets the configurations of providers, list resources,
/// actions and state stores, and provider metadata.
#[diagnostic::on_unimplemented(
    message = "the configurations of providers, list resources, actions and state stores, and provider metadata, cannot have `#[attr(computed)]` attributes: remove `computed` from `{Self}`",
    label = "this model contains computed attributes",
    note = "the attributes of nested and flattened models count too"
)]
pub trait NoComputedAttributes {}

/// The resource has an identity, which each result of its list requires.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no identity, so its objects cannot be listed: mark the attributes that identify an object with `#[attr(identity)]`",
    label = "a resource without an identity"
)]
pub trait HasIdentity {}

/// There are no nested blocks. The configuration of a state store consists of attributes.
#[diagnostic::on_unimplemented(
    message = "the configuration of a state store cannot have `#[attr(block)]` fields: remove `block` from `{Self}`",
    label = "this model contains nested blocks",
    note = "without `block`, the field is a nested attribute",
    note = "the blocks of flattened models count too"
)]
pub trait NoBlocks {}

#[diagnostic::do_not_recommend]
impl NoReservedNames for () {}
#[diagnostic::do_not_recommend]
impl NoReservedProviderNames for () {}
#[diagnostic::do_not_recommend]
impl NoWriteOnlyAttributes for () {}
#[diagnostic::do_not_recommend]
impl NoComputedAttributes for () {}
#[diagnostic::do_not_recommend]
impl NoBlocks for () {}

/// The type implements the traits of the standard library that every model and every enum with data needs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` must implement `Clone`, `Debug` and `PartialEq`",
    label = "add the missing ones to its derives: `Clone, Debug, PartialEq`"
)]
pub trait StandardTraits {
    /// Used by the derive: naming this constant checks the condition.
    #[doc(hidden)]
    const __CHECKED: () = ();
}

// With `Attr`, a reference to the type is no candidate: the compiler would suggest to borrow the type.
#[diagnostic::do_not_recommend]
impl<T: Attr + Clone + std::fmt::Debug + PartialEq> StandardTraits for T {}

/// Whether something is present in a model, as a type.
#[derive(Debug)]
pub struct Present<const PRESENT: bool>;

/// Implemented for `Present<false>` only.
pub trait Absent {}

impl Absent for Present<false> {}
