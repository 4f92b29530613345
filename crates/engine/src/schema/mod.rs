//! Schemas: attributes, nested attributes, blocks, and the behaviors of attributes in a plan.
//!
//! A resource, a data source, the provider's configuration and every nested object are described by a [`Block`] of
//! [`Attribute`]s. The derive macros build it with the same public methods that a provider with schemas built at run
//! time calls. A block is immutable, so that its derived properties need to be computed only once.
//!
//! ```
//! use ferroform_engine::schema::{Attribute, Block, Nested, Schema};
//! use ferroform_engine::value::Type;
//!
//! let disk = Block::new().attribute(Attribute::raw("size", Type::Number));
//! let block = Block::new()
//!     .attribute(Attribute::raw("name", Type::String).requires_replace())
//!     .attribute(Attribute::raw("id", Type::String).computed().use_state_for_unknown())
//!     .attribute(Attribute::raw_nested("disks", Nested::list(disk)).optional());
//! assert!(Schema::new(block).definition_errors().is_empty());
//! ```

mod attribute;
mod attribute_description;
mod behavior;
mod block;
mod check;
mod computed_copy;
mod constraints;
mod default;
mod description;
mod empty_equals_null;
mod facts;
mod functions;
mod identity_schema;
mod import_pattern;
#[cfg(feature = "schema-json")]
mod json;
mod lazy;
mod modes;
mod relation;
pub mod timeouts;
mod upgrades;

pub use attribute::{Attribute, RustType, ValueCheck};
pub use behavior::Behavior;
pub use block::{Block, Member, Nested, NestedBlock};
pub use check::checker::SchemaError;
pub use check::import_and_identity::check_import_and_identity;
pub use check::is_attribute_name;
pub use constraints::{Descriptions, ReplacingChanges};
pub use default::AttributeDefault;
pub(crate) use default::is_empty;
pub use description::DescriptionKind;
pub(crate) use facts::BlockFacts;
pub use functions::{Comparison, ConditionContext, PlanFunction, PlannedChange, ReplacementCondition};
pub use identity_schema::IdentitySchema;
pub use import_pattern::ImportPattern;
#[cfg(feature = "schema-json")]
pub use json::{JsonSchema, ProviderSchemas};
pub use lazy::LazySchema;
pub use modes::{Keep, Mode, Nesting, Replace};
pub use relation::{Group, GroupRule, RelatedAttributes, Relation, RelationKind};
pub use upgrades::{UpgradeStep, Upgrades};

/// A schema and its version.
///
/// ```
/// use ferroform_engine::schema::{Attribute, Block, Schema};
/// use ferroform_engine::value::Type;
///
/// let block = Block::new().attribute(Attribute::raw("name", Type::String));
/// let schema = Schema::new(block).version(2);
/// assert_eq!((schema.version, schema.block.attributes().len()), (2, 1));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Schema {
    /// The schema version. A state of an earlier version is upgraded before it is used.
    pub version: i64,
    /// The attributes and blocks.
    pub block: Block,
}

impl Schema {
    /// A schema of version 0.
    pub fn new(block: Block) -> Schema {
        Schema { version: 0, block }
    }

    /// Sets the schema version.
    #[must_use]
    pub fn version(mut self, version: i64) -> Schema {
        self.version = version;
        self
    }
}
