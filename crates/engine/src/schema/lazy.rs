//! Schemas that are created when they are needed.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use super::Schema;

/// A schema that is created on demand, and cached once a resource or data source uses it.
///
/// A provider may have thousands of types, of which a configuration uses a few. GetProviderSchema creates each schema,
/// encodes it and drops it, so only one of them is in memory at a time.
///
/// ```
/// use ferroform_engine::schema::{Block, LazySchema, Schema};
///
/// let schema = LazySchema::new(|| Schema::new(Block::new()).version(1));
/// assert_eq!(schema.get().version, 1);
/// ```
pub struct LazySchema {
    cached: OnceLock<Schema>,
    create: Box<dyn Fn() -> Schema + Send + Sync>,
}

impl LazySchema {
    /// A schema that the function creates. The function must return the same schema at each call.
    pub fn new(create: impl Fn() -> Schema + Send + Sync + 'static) -> LazySchema {
        LazySchema { cached: OnceLock::new(), create: Box::new(create) }
    }

    /// The schema. It is cached from the first call on.
    pub fn get(&self) -> &Schema {
        self.cached.get_or_init(|| (self.create)())
    }

    /// The schema for a single use. It is created for this use, unless it is cached.
    pub fn describe(&self) -> Cow<'_, Schema> {
        self.cached.get().map_or_else(|| Cow::Owned((self.create)()), Cow::Borrowed)
    }
}

impl fmt::Debug for LazySchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazySchema").field(&self.cached).finish()
    }
}
