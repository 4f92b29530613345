//! What may stand at the root of a schema. `#[derive(Model)]` says it of every model; where it is not so, rustc says
//! why at `impl Resource`, `impl DataSource` or `impl Provider`, and points to the field.

/// A model that can be a resource: no attribute has a name that Terraform keeps for itself there.
pub trait ResourceRoot {}

/// A model that can be a data source: as a resource, and nothing in it is write-only.
pub trait DataSourceRoot {}

/// A model that can be the configuration of a provider: no attribute has a name that Terraform keeps for itself
/// there, and nothing in it is write-only or computed.
pub trait ProviderRoot {}

impl ResourceRoot for () {}
impl DataSourceRoot for () {}
impl ProviderRoot for () {}

/// What the derive asks of a field or struct.
#[doc(hidden)]
#[diagnostic::on_unimplemented(message = "{Self}", label = "{Self}")]
pub trait Allowed {}

/// A name that is reserved.
#[doc(hidden)]
#[derive(Debug)]
pub enum Reserved {}

/// Something that is write-only, if so.
#[doc(hidden)]
#[derive(Debug)]
pub struct WriteOnly<const IS: bool>;

/// Something that is computed, if so.
#[doc(hidden)]
#[derive(Debug)]
pub struct Computed<const IS: bool>;

impl Allowed for WriteOnly<false> {}
impl Allowed for Computed<false> {}
