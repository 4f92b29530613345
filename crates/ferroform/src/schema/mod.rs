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
    Attribute, Behaviour, Block, Condition, DescriptionKind, Fault, Group, IdentitySchema, ImportPattern,
    Keep, Kind, LazySchema, Member, Mode, Nested, NestedBlock, Nesting, Others, Relation, Replace, Schema,
    SchemaKind, Together, Upgrades,
};
use ferroform_engine::validator::Sight;
use ferroform_value::Type;

pub use self::attribute::AttributeExt;
pub use self::block::BlockExt;
pub use self::compare::{CompareFn, ValueChange};
pub use self::plan::IntoPlan;
pub use self::upgrades::{IdentitySchemaExt, UpgradesExt, UpgradesTo};
use crate::Attr;

/// How a function for values of the type `T` sees those of an attribute of the type `ty`.
fn sight<T: Attr>(ty: &Type) -> Sight {
    // Asked of each attribute with a behaviour: most types need not be made for it.
    let differs = T::FACTS.has_dynamic && *ty != Type::Dynamic && T::ty() == Type::Dynamic;
    if differs { Sight::any(ty) } else { Sight::typed() }
}
