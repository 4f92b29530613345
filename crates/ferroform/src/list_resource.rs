//! The trait of list resources.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_value::Value;

use crate::model::{Args, Config};
use crate::model_kinds::{HasIdentity, NoComputedAttributes, NoWriteOnlyAttributes};
use crate::operation::{HasProvider, List};
use crate::optional_method::NotImplemented;
use crate::raw::{
    AnyListResource, AnyListed, Definition, ListResults, MethodFuture, RequestContext, SentResults,
};
use crate::typed::{Typed, read, validate};
use crate::{
    Clock, Cx, Diagnostic, Diagnostics, Identity, MethodCx, Model, Provider, Registry, RequestCx, Resource,
    Result,
};

/// A list of the existing remote objects of a resource, for `terraform query` in Terraform 1.14 or later.
///
/// The model is the block `config` of a `list` block: filters, for example. The method [`list`](ListResource::list) sends
/// the objects one at a time, and Terraform receives each of them while the method continues.
///
/// | method | receives | returns |
/// |---|---|---|
/// | [`validate`](ListResource::validate) | the configuration, with unknown values | the errors |
/// | [`list`](ListResource::list) | the configuration | |
///
/// ```
/// use ferroform::{Args, ListCx, ListResource, Model, Result};
/// # use ferroform::{ApplyCx, Known, Maybe, Planned, Provider, ReadCx, Registry, RequestCx, Resource};
///
/// # struct Cloud;
/// # impl Cloud {
/// #     async fn page(&self, _: Option<&str>, _: u32) -> Result<Vec<Machine>> { Ok(Vec::new()) }
/// # }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(registry: &mut Registry<Self>) {
/// #         registry.resource::<Machine>("cloud_machine").list_resource::<Machines>("cloud_machine");
/// #     }
/// # }
/// /// A virtual machine, which implements `Resource`.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(identity, requires_replace)]
///     name: String,
///     size: u64,
/// }
/// # impl Resource for Machine {
/// #     type Provider = Cloud;
/// #     async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<MachineComputed> { Ok(MachineComputed {}) }
/// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
/// # }
///
/// /// The configuration of the list.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machines {
///     /// Only machines whose name begins with this string.
///     name_prefix: Option<String>,
/// }
///
/// impl ListResource for Machines {
///     type Resource = Machine;
///
///     async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
///         for number in 0.. {
///             let page = cx.provider.page(args.name_prefix.as_deref(), number).await?;
///             if page.is_empty() {
///                 break;
///             }
///             for machine in page {
///                 let name = machine.name.clone();
///                 // The `?` ends the loop as soon as Terraform needs no more results.
///                 cx.send(cx.listed(machine, name)?).await?;
///             }
///         }
///         Ok(())
///     }
/// }
///
/// // In `Provider::register`: registry.list_resource::<Machines>("cloud_machine");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list resource",
    label = "not a list resource",
    note = "write `impl ListResource for {Self}` with `list`"
)]
pub trait ListResource: Model<__Itself: NoWriteOnlyAttributes + NoComputedAttributes> {
    /// The resource whose objects are listed. It must have an [identity](Identity), and be registered under the same
    /// name as the list resource.
    type Resource: Resource + HasIdentity;

    /// Validates the configuration as a whole. For a single attribute, use `#[attr(validate = …)]`. The provider is not
    /// configured yet.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn validate(cx: &RequestCx, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Lists the objects: calls [`cx.send`](MethodCx::send) for each of them.
    ///
    /// # Errors
    ///
    /// The reason why the objects cannot be listed, or the error of [`cx.send`](MethodCx::send). Terraform 1.14 and 1.15
    /// show no results of a list with an error. If a single object cannot be read, warn with [`Listed::warn`] or
    /// [`cx.warn`](RequestCx::warn) instead.
    fn list(cx: &ListCx<Self>, args: Args<Self>) -> impl Future<Output = Result<()>> + Send;
}

/// An object of the resource `R` in a list: the argument of [`ListCx::send`].
#[derive(Clone, Debug)]
pub struct Listed<R: Resource> {
    listed: AnyListed,
    resource: PhantomData<fn() -> R>,
}

impl<R: Resource> Listed<R> {
    /// A result with this identity. Terraform shows the display name.
    pub fn new(identity: R::Identity, display_name: impl Into<String>) -> Listed<R> {
        use crate::Attr as _;
        Listed { listed: AnyListed::new(identity.to_value(), display_name), resource: PhantomData }
    }

    /// Sets the whole object. Terraform needs it only if [`ListCx::includes_resource`] is true.
    #[must_use]
    pub fn object(mut self, object: R) -> Listed<R> {
        self.listed.object = Some(object.to_value());
        self
    }

    /// Adds a warning about this object.
    #[must_use]
    pub fn warn(self, summary: impl Into<String>) -> Listed<R> {
        self.report(Diagnostic::warning(summary))
    }

    /// Adds a diagnostic about this object. Terraform receives no object with an error, and no object after it.
    #[must_use]
    pub fn report(mut self, diagnostic: impl Into<Diagnostics>) -> Listed<R> {
        self.listed.diagnostics.extend(diagnostic.into());
        self
    }
}

/// The context of [`ListResource::list`] of the list resource `L`.
pub type ListCx<L> = MethodCx<L, List>;

impl<T: ListResource> HasProvider<List> for T {
    type Provider = <T::Resource as Resource>::Provider;
}

impl<L: ListResource> MethodCx<L, List> {
    /// A context without a request from Terraform, for unit tests of `list`, and the results that it sends. It has no limit and
    /// needs whole objects.
    pub fn detached(provider: <L::Resource as Resource>::Provider, clock: Clock) -> (ListCx<L>, SentResults) {
        let request = RequestContext::detached(clock);
        let (results, sent) = ListResults::detached(request.clone());
        (MethodCx::of(Cx::of(provider, request), List(results)), sent)
    }

    /// The maximum number of results that Terraform accepts: the `limit` of the `list` block, by default 100. `None` if
    /// there is no limit. [`send`](MethodCx::send) enforces it; a provider can request pages of a suitable size.
    pub fn limit(&self) -> Option<u64> {
        self.results().limit()
    }

    /// True if Terraform needs the whole object of each result: the `include_resource` of the `list` block. Otherwise, an
    /// identity and a display name are enough, so a provider can save the requests that the rest requires.
    pub fn includes_resource(&self) -> bool {
        self.results().includes_resource()
    }

    /// A result with a whole object, and the [`Identity`] of the object. Terraform shows the display name.
    ///
    /// # Errors
    ///
    /// The error of [`Identity::of`].
    pub fn listed(
        &self,
        object: L::Resource,
        display_name: impl Into<String>,
    ) -> Result<Listed<L::Resource>> {
        let identity =
            <<L::Resource as Model>::Identity as Identity<L::Resource>>::of(&self.provider, &object)?;
        Ok(Listed::new(identity, display_name).object(object))
    }

    /// Sends a result. Waits until Terraform has received the previous results, so that they do not collect in memory.
    ///
    /// Ferroform checks the result first. If it lacks its identity, or its object does not conform to the schema of the
    /// resource, the list ends with an error.
    ///
    /// # Errors
    ///
    /// An error that Terraform does not show, as soon as it needs no more results: the limit is reached, or Terraform has
    /// ended the request. Return it with `?`, so that the method ends.
    pub async fn send(&self, listed: Listed<L::Resource>) -> Result<()> {
        self.results().send(listed.listed).await
    }
}

impl<L: ListResource> AnyListResource for Typed<L> {
    fn list(&self, context: RequestContext, config: Value, results: ListResults) -> MethodFuture<()> {
        Box::pin(async move {
            let args: Args<L> = read(&config, "Configuration")?;
            L::list(&ListCx::<L>::with_operation(context, List(results))?, args).await
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a list of the objects of the resource with this type name, such as `cloud_machine`.
    pub fn list_resource<L>(&mut self, name: impl Into<String>) -> &mut Self
    where
        L: ListResource<Resource: Resource<Provider = P>>,
    {
        self.raw(name, Definition::ListResource(Arc::new(Typed::<L>::new(L::schema, validate!(L, L), ()))))
    }
}
