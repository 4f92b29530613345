//! What an object looks like and how its attributes behave.
//!
//! There is one form for everything: a resource, a data source, a provider's configuration and every object
//! inside them are a [`Block`] of [`Attribute`]s. The derive builds it by the calls that are public here, so
//! whatever it does can be done by hand, for a provider that is made at run time.

mod attribute;
mod behaviour;
mod block;
mod check;
mod default;
mod description;
mod facts;
mod functions;
mod identity_schema;
mod import_pattern;
mod lazy;
mod relation;

mod terms;
pub mod timeouts;
mod upgrades;

pub use attribute::{Attribute, NativeType, Reads};
pub use behaviour::Behaviour;
pub use block::{Block, Member, Nested, NestedBlock};
pub use check::faults::{Fault, SchemaKind};
pub use check::import_and_identity::faults as resource_faults;
pub use check::timeouts::{faults_of_data, faults_of_provider};
pub use default::Default;
pub use description::DescriptionKind;
pub(crate) use facts::BlockFacts;
pub use functions::{Compare, Condition, Planner};
pub use identity_schema::IdentitySchema;
pub use import_pattern::ImportPattern;
pub use lazy::LazySchema;
pub use relation::{Group, Kind, Others, Relation, Together};
pub use terms::{Keep, Mode, Nesting, Replace};
pub use upgrades::{Step, Upgrades};

/// A schema and its version.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The version of the state's shape; a state of another version is upgraded before use.
    pub version: i64,
    /// The attributes and blocks.
    pub block: Block,
}
