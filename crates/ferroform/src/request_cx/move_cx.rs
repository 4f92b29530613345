//! The context of moves between resource types.

use std::ops::Deref;

use ferroform_engine::RequestContext;

use super::{RequestCx, private, set_private};
use crate::{Attr, Clock, Result};

/// The context of [`Resource::move_from`](crate::Resource::move_from): a [`RequestCx`] that can also store private
/// state for the moved object.
///
/// ```
/// use ferroform::{MoveCx, MoveSource, Result};
///
/// fn keep_etag(cx: &MoveCx, source: &MoveSource) -> Result<()> {
///     match source.private::<String>("etag")? {
///         Some(etag) => cx.set_private("etag", &etag),
///         None => Ok(()),
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct MoveCx {
    request: RequestCx,
}

impl From<RequestContext> for MoveCx {
    fn from(context: RequestContext) -> MoveCx {
        MoveCx { request: context.into() }
    }
}

impl Deref for MoveCx {
    type Target = RequestCx;

    fn deref(&self) -> &RequestCx {
        &self.request
    }
}

impl MoveCx {
    /// A context without a request from Terraform: for unit tests of `move_from`. [`private`](MoveCx::private) returns what
    /// the method has stored.
    pub fn detached(clock: Clock) -> MoveCx {
        RequestContext::detached(clock).into()
    }

    /// The value that is stored in the private state of the moved object; see [`MethodCx::private`](crate::MethodCx::private).
    ///
    /// # Errors
    ///
    /// If the stored value is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        private(self, key)
    }

    /// Stores a value in the private state of the moved object; see [`MethodCx::set_private`](crate::MethodCx::set_private).
    ///
    /// # Errors
    ///
    /// If the key begins with a dot, because those keys are reserved for Ferroform.
    pub fn set_private<T: Attr>(&self, key: &str, value: &T) -> Result<()> {
        set_private(self, key, value)
    }

    /// Sets the resource identity of the moved object; see [`MethodCx::set_identity`](crate::MethodCx::set_identity). Without it, the identity has the
    /// attributes of the moved object, and the next `read` determines the rest.
    pub fn set_identity(&self, identity: &impl Attr) {
        self.context().set_identity(identity.to_value());
    }
}
