//! The trait of resource identities that an author writes as a struct.

use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_value::Value;

use super::Resource;
use crate::{Attr, Diagnostic, Result};

/// The identity of the objects of the resource `R`.
///
/// For `#[attr(identity)]` on fields, the derive generates the struct and implements this trait. If an identity
/// attribute is not in the state, such as the account of the provider, write the struct yourself: `#[attr(identity =
/// …)]` names it, and this trait creates it. The opposite direction, from an identity to an object, is
/// [`Resource::import_by_identity`].
///
/// ```
/// use ferroform::{Identity, Model, Resource, Result};
/// # use ferroform::{ApplyCx, Known, Maybe, Planned, Provider, ReadCx, Registry, RequestCx};
///
/// struct Cloud {
///     account: String,
/// }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "example.com/test/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud { account: String::new() }))
/// }
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
///     /// If an import omits it, the account of the provider is used.
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
/// #     async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<BucketComputed> { Ok(BucketComputed {}) }
/// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the identity of `{R}`",
    label = "the identity of this resource is `{Self}`",
    note = "write `impl Identity<{R}> for {Self} {{}}`; implement `of` if an identity attribute is not an attribute of the resource, or set the identity with `cx.set_identity`"
)]
pub trait Identity<R: Resource>: Attr {
    /// Returns the identity of an object. The default copies the attributes with the same names.
    ///
    /// Omit the method if the identity does not follow from the object because only the API knows it. Then `create`,
    /// `read` and `import` set it with [`cx.set_identity`](crate::MethodCx::set_identity), and Ferroform keeps it until
    /// a method sets another one.
    ///
    /// # Errors
    ///
    /// The reason why the identity cannot be determined. The default returns an error if an attribute of the
    /// identity is not an attribute of the resource.
    fn of(provider: &R::Provider, object: &R) -> Result<Self> {
        let _ = provider;
        let Value::Object(attributes) = object.to_value() else { return Ok(Self::from_value(&Value::Null)?) };
        let block = Self::block().unwrap_or_default();
        if let Some(missing) = block.attributes().iter().find(|it| attributes.get(it.name()).is_none()) {
            let detail = format!(
                "The identity attribute \"{}\" is not an attribute of the resource, and the provider does not \
                 implement `Identity::of`.",
                missing.name()
            );
            let error = Diagnostic::error("Missing Identity Attribute in Resource").detail(detail);
            return Err(error.of_kind(DiagnosticKind::IdentityNotInObject).into());
        }
        let shared = attributes.into_iter().filter(|(name, _)| Self::__has_attribute(name)).collect();
        Ok(Self::from_value(&Value::Object(shared))?)
    }
}

/// No identity.
impl<R: Resource> Identity<R> for () {}
