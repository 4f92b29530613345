//! What an object looks like and how its attributes behave.
//!
//! There is one form for everything: a resource, a data source, a provider's configuration and every object
//! inside them are a [`Block`] of [`Attribute`]s. The derive builds it by the calls that are public here, so
//! whatever it does can be done by hand, for a provider that is made at run time.

mod attribute;
mod block;
pub(crate) mod compare;
mod plan;
mod upgrades;

pub use ferroform_engine::schema::{
    Attribute, Behavior, Block, DescriptionKind, Group, GroupRule, IdentitySchema, ImportPattern, Keep,
    LazySchema, Member, Mode, Nested, NestedBlock, Nesting, RelatedAttributes, Relation, RelationKind,
    Replace, ReplacementCondition, Schema, SchemaError, SchemaKind, Upgrades,
};
use ferroform_engine::validator::DynamicAdapter;
use ferroform_value::Type;

pub use self::attribute::AttributeExt;
pub use self::block::BlockExt;
pub use self::compare::{CompareFn, ValueChange};
pub use self::plan::IntoPlan;
pub use self::upgrades::{IdentitySchemaExt, UpgradesExt, UpgradesTo};
use crate::Attr;

/// How a function for values of the type `T` sees those of an attribute of the type `ty`.
fn adapter<T: Attr>(ty: &Type) -> DynamicAdapter {
    // Asked of each attribute with a behaviour: most types need not be made for it.
    let differs = T::FACTS.has_dynamic && *ty != Type::Dynamic && T::ty() == Type::Dynamic;
    if differs { DynamicAdapter::for_type(ty) } else { DynamicAdapter::none() }
}
