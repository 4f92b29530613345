//! What an object is known by.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Type, Value};

use super::Block;
use crate::Result;

/// What objects of a resource are known by, apart from their state: the parts, each a bool, a number, a string or
/// a list of these.
///
/// A part that the resource has as an attribute of the same name is that attribute's value, and one that is
/// required must be given where an object is imported by its identity.
#[derive(Clone, Debug, Default)]
pub struct IdentitySchema {
    /// The version of its form; an identity of another version is upgraded or made anew.
    pub version: i64,
    /// The parts.
    pub block: Block,
    /// True where the identity of an object may change during its life.
    pub mutable: bool,
    /// True where the resource's [`identify`](crate::provider::AnyResource::identify) makes it, because not all parts
    /// are in the state.
    pub by_provider: bool,
    /// The upgrades of identities that were stored with an earlier version.
    pub upgrades: Vec<IdentityUpgrade>,
}

/// Makes the identity of now of an earlier one.
pub(super) type Run = Arc<dyn Fn(&Value) -> Result<Value> + Send + Sync>;

/// How an identity of an earlier version becomes one of now.
#[derive(Clone)]
pub struct IdentityUpgrade {
    pub version: i64,
    pub ty: Type,
    pub run: Run,
}

impl IdentitySchema {
    /// An identity of these parts.
    pub fn raw(block: Block) -> IdentitySchema {
        IdentitySchema { block, ..IdentitySchema::default() }
    }

    /// Sets the version.
    #[must_use]
    pub fn version(mut self, version: i64) -> IdentitySchema {
        self.version = version;
        self
    }

    /// The identity of an object may change during its life.
    #[must_use]
    pub fn mutable(mut self) -> IdentitySchema {
        self.mutable = true;
        self
    }

    /// Not all parts are in the state: the provider makes the identity.
    #[must_use]
    pub fn by_provider(mut self) -> IdentitySchema {
        self.by_provider = true;
        self
    }

    /// An identity of that version is an object of that type, and becomes what the function makes of it.
    #[must_use]
    pub fn upgrade_raw(
        mut self,
        version: i64,
        ty: Type,
        run: impl Fn(&Value) -> Result<Value> + Send + Sync + 'static,
    ) -> IdentitySchema {
        self.upgrades.push(IdentityUpgrade { version, ty, run: Arc::new(run) });
        self
    }

    /// The identity, or none where it has no parts.
    pub fn unless_empty(self) -> Option<IdentitySchema> {
        (!self.block.attributes.is_empty()).then_some(self)
    }
}

impl fmt::Debug for IdentityUpgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdentityUpgrade")
            .field("version", &self.version)
            .field("ty", &self.ty)
            .finish_non_exhaustive()
    }
}
