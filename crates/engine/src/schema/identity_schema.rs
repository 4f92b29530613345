//! Identity schemas: the attributes that identify an object, apart from its state.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Type, Value};

use super::Block;
use crate::Result;

/// The identity schema of a resource. Each attribute is a bool, a number, a string or a list of these.
/// An identity attribute with the same name as an attribute of the resource has the value of that attribute. A required
/// identity attribute must be set when an object is imported by its identity.
///
/// ```
/// use ferroform_engine::schema::{Attribute, Block, IdentitySchema};
/// use ferroform_engine::value::Type;
///
/// let block = Block::new().attribute(Attribute::raw("id", Type::String));
/// let identity = IdentitySchema::raw(block).version(1);
/// assert_eq!(identity.version, 1);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct IdentitySchema {
    /// The version. An identity of an earlier version is upgraded, or recreated by the next read.
    pub version: i64,
    /// The attributes.
    pub block: Block,
    /// True if the identity of an object may change during its lifetime.
    pub mutable: bool,
    /// True if the state does not contain all attributes, so that
    /// [`identify`](crate::provider::AnyResource::identify) creates the identity.
    pub by_provider: bool,
    /// The upgrades from earlier versions.
    pub upgrades: Vec<IdentityUpgrade>,
}

/// Upgrades an identity of an earlier version to the current version.
pub(super) type UpgradeFn = Arc<dyn Fn(&Value) -> Result<Value> + Send + Sync>;

/// The upgrade from an earlier version of an identity to the current version.
#[derive(Clone)]
#[non_exhaustive]
pub struct IdentityUpgrade {
    /// The earlier version.
    pub version: i64,
    /// The object type of the earlier version.
    pub ty: Type,
    /// Upgrades an identity.
    pub run: UpgradeFn,
}

impl IdentitySchema {
    /// An identity with these attributes and version 0.
    pub fn raw(block: Block) -> IdentitySchema {
        IdentitySchema { block, ..IdentitySchema::default() }
    }

    /// Sets the version.
    #[must_use]
    pub fn version(mut self, version: i64) -> IdentitySchema {
        self.version = version;
        self
    }

    /// Allows the identity of an object to change during its lifetime.
    #[must_use]
    pub fn mutable(mut self) -> IdentitySchema {
        self.mutable = true;
        self
    }

    /// Declares that the provider creates the identity, because the state does not contain all attributes.
    #[must_use]
    pub fn by_provider(mut self) -> IdentitySchema {
        self.by_provider = true;
        self
    }

    /// Adds an upgrade from identities of that version, which are objects of that type.
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

    /// The identity schema; `None` if it has no attributes.
    pub fn unless_empty(self) -> Option<IdentitySchema> {
        (!self.block.attributes().is_empty()).then_some(self)
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
