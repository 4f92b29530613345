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
mod identity;
mod import;
mod lazy;
mod plan_with;
mod relation;
mod resource;
mod sight;
mod spare;
mod terms;
mod upgrades;

pub use attribute::Attribute;
pub(crate) use attribute::Reads;
#[doc(hidden)]
pub use behaviour::compares;
pub use behaviour::{Behaviour, Compares, Condition, ValueChange};
pub use block::{Block, Member, NestedBlock};
pub use check::{Fault, SchemaKind};
pub use description::DescriptionKind;
pub use identity::IdentitySchema;
pub use import::ImportPattern;
pub use lazy::LazySchema;
pub use plan_with::IntoPlan;
pub(crate) use plan_with::Planner;
pub use relation::{Group, Kind, Others, Relation, Together};
pub(crate) use resource::faults as resource_faults;
pub(crate) use sight::Sight;
pub(crate) use spare::Spare;
pub use terms::{Keep, Mode, Nested, Nesting, Replace};
pub use upgrades::Upgrades;

/// A schema and its version.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The version of the state's shape; a state of another version is upgraded before use.
    pub version: i64,
    /// The attributes and blocks.
    pub block: Block,
}

impl Schema {
    /// What is wrong with the schema, each fault with its place; empty where it is sound.
    ///
    /// The derive refuses the same things at compile time; this is for schemas made at run time.
    pub fn faults(&self) -> Vec<Fault> {
        self.faults_of(SchemaKind::Resource)
    }

    /// The same for what it is the schema of: a resource, a data source, the provider's configuration.
    pub fn faults_of(&self, kind: SchemaKind) -> Vec<Fault> {
        check::faults(self, kind)
    }

    /// What is wrong with the steps that lead to this schema from its earlier versions; empty where none is
    /// left out and none is too much.
    pub fn faults_of_upgrades(&self, upgrades: &Upgrades) -> Vec<Fault> {
        check::upgrades(self.version, upgrades)
    }
}
