//! A schema that is made when it is needed.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use super::Schema;

/// A schema that is made when it is needed, and kept once its object is used.
///
/// A provider may have thousands of types, of which a configuration uses a few. To tell the host of all of them, each
/// schema is made and dropped again, so that memory is needed for one of them at a time.
pub struct LazySchema {
    kept: OnceLock<Schema>,
    make: Box<dyn Fn() -> Schema + Send + Sync>,
}

impl LazySchema {
    /// A schema that this makes, the same at each call.
    pub fn new(make: impl Fn() -> Schema + Send + Sync + 'static) -> LazySchema {
        LazySchema { kept: OnceLock::new(), make: Box::new(make) }
    }

    /// The schema, kept from now on.
    pub fn get(&self) -> &Schema {
        self.kept.get_or_init(|| (self.make)())
    }

    /// The schema for one use: made for it where it is not kept.
    pub fn describe(&self) -> Cow<'_, Schema> {
        self.kept.get().map_or_else(|| Cow::Owned((self.make)()), Cow::Borrowed)
    }
}

impl fmt::Debug for LazySchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazySchema").field(&self.kept).finish()
    }
}
