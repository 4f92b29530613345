//! What an object of a resource is known by, where an author must say how it comes about.

use super::Resource;
use crate::{Attr, Result};

/// What an object of the resource `R` is known by, apart from its state.
///
/// `#[attr(identity)]` on fields needs none of this: the derive makes the struct and this impl. Where a part is not
/// in the state, such as an account that the provider knows, the struct is the author's: `#[attr(identity = …)]`
/// names it, and this says how it is made.
///
/// ```
/// use ferroform::{Identity, Model, Resource, Result};
/// # use ferroform::{Call, Cx, Known, Maybe, Planned, Provider, Registry};
///
/// struct Cloud {
///     account: String,
/// }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "example.com/test/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &Call, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud { account: String::new() })) }
/// #     fn register(registry: &mut Registry<Self>) { registry.resource::<Bucket>("cloud_bucket"); }
/// # }
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// #[attr(identity = BucketIdentity)]
/// struct Bucket {
///     #[attr(requires_replace)]
///     name: String,
/// }
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct BucketIdentity {
///     /// Left out of an import, it is the provider's.
///     account: Option<String>,
///     name: String,
/// }
///
/// impl Identity<Bucket> for BucketIdentity {
///     fn of(cloud: &Cloud, bucket: &Bucket) -> Result<Self> {
///         Ok(BucketIdentity { account: Some(cloud.account.clone()), name: bucket.name.clone() })
///     }
/// }
/// # impl Resource for Bucket {
/// #     type Provider = Cloud;
/// #     async fn create(_: &Cx<Cloud>, _: Planned<Self>) -> Result<BucketComputed> { Ok(BucketComputed {}) }
/// #     async fn read(_: &Cx<Cloud>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &Cx<Cloud>, _: Self) -> Result<()> { Ok(()) }
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what identifies a `{R}`",
    label = "its identity is a `{Self}`",
    note = "write `impl Identity<{R}> for {Self}`; where all parts are attributes of the same names, it can be empty"
)]
pub trait Identity<R: Resource>: Attr {
    /// The identity of an object. Left out, it is made of the attributes of the same names.
    ///
    /// # Errors
    ///
    /// Why it cannot be told.
    fn of(provider: &R::Provider, object: &R) -> Result<Self> {
        let _ = provider;
        Ok(Self::from_value(&object.to_value())?)
    }
}

/// No identity.
impl<R: Resource> Identity<R> for () {}
