//! Schemas: blocks, attributes and their behavior.
//!
//! A resource, a data source, the configuration of a provider and every nested object are a [`Block`] of [`Attribute`]s.
//! `#[derive(Model)]` builds it with the public methods of this module, so a schema that is built at run time supports
//! everything that the derive supports.
//!
//! ```
//! use ferroform::schema::{Attribute, AttributeExt as _, Block, Nested, Schema};
//! use ferroform::value::Type;
//!
//! let disk = Block::new().attribute(Attribute::of::<u64>("size"));
//! let block = Block::new()
//!     .description("A machine.")
//!     .attribute(Attribute::raw("name", Type::String).requires_replace())
//!     .attribute(Attribute::raw_nested("disks", Nested::list(disk)));
//! let schema = Schema::new(block);
//! assert!(schema.definition_errors().is_empty());
//! ```

mod attribute;
mod block;
pub(crate) mod compare;
mod plan;
mod upgrades;

pub use ferroform_engine::schema::{
    Attribute, Behavior, Block, DescriptionKind, Group, GroupRule, IdentitySchema, ImportPattern, Keep,
    LazySchema, Member, Mode, Nested, NestedBlock, Nesting, RelatedAttributes, Relation, RelationKind,
    Replace, ReplacementCondition, Schema, SchemaError, Upgrades,
};
use ferroform_engine::validator::DynamicAdapter;
use ferroform_value::Type;

pub use self::attribute::AttributeExt;
pub use self::block::BlockExt;
pub use self::compare::{CompareFn, ValueChange, map_changes};
pub use self::plan::IntoPlan;
pub use self::upgrades::{IdentitySchemaExt, UpgradesExt, UpgradesTo};
use crate::Attr;
#[cfg(feature = "schema-json")]
pub use ferroform_engine::schema::{JsonSchema, ProviderSchemas};

/// How a function for values of the type `T` receives the values of an attribute of the type `ty`.
fn adapter<T: Attr>(ty: &Type) -> DynamicAdapter {
    // This runs for each attribute with options. The facts come first, so that `T::ty()` is built only for few types.
    let differs = T::FACTS.has_dynamic && *ty != Type::Dynamic && T::ty() == Type::Dynamic;
    if differs { DynamicAdapter::for_type(ty) } else { DynamicAdapter::none() }
}
