//! The trait of data sources that return the object of a resource.

use std::future::Future;

use crate::model::{Args, Config};
use crate::model_kinds::{NoComputedAttributes, NoReservedNames, NoWriteOnlyAttributes};
use crate::optional_method::NotImplemented;
use crate::{Cx, Model, RequestCx, Resource, Result};

/// A data source with the attributes of a resource: its model contains only the arguments by which the practitioner looks
/// up an object.
///
/// Every other attribute of the resource is computed, with the description and sensitivity that it has in the resource.
/// An argument that is an `Option` and has the name of an attribute of the resource is optional and computed: if the
/// configuration omits it, its value is that of the object.
///
/// | method | receives | returns |
/// |---|---|---|
/// | [`validate`](Lookup::validate) | the configuration, with unknown values | the errors |
/// | [`read`](Lookup::read) | the arguments | the object |
///
/// ```
/// use ferroform::{Args, Context as _, Cx, Lookup, Model, Result, path};
/// # use ferroform::{ApplyCx, Known, Maybe, Planned, Provider, Registry, RequestCx, Resource};
///
/// # struct Cloud;
/// # impl Cloud {
/// #     async fn find(&self, _: &str) -> Result<Option<Machine>> { Ok(None) }
/// # }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(registry: &mut Registry<Self>) {
/// #         registry.resource::<Machine>("cloud_machine").lookup::<MachineByName>("cloud_machine");
/// #     }
/// # }
/// /// A virtual machine, which implements `Resource`.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(requires_replace)]
///     name: String,
///     size: u64,
///     #[attr(computed)]
///     id: String,
/// }
/// # impl Resource for Machine {
/// #     type Provider = Cloud;
/// #     async fn create(_: &ApplyCx<Cloud>, _: Planned<Self>) -> Result<MachineComputed> {
/// #         Ok(MachineComputed { id: "m-1".into() })
/// #     }
/// #     async fn read(_: &Cx<Cloud>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Cloud>, _: Self) -> Result<()> { Ok(()) }
/// # }
///
/// /// The arguments of the data source `cloud_machine`. `size` and `id` are computed.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct MachineByName {
///     name: String,
/// }
///
/// impl Lookup for MachineByName {
///     type Resource = Machine;
///
///     async fn read(cx: &Cx<Cloud>, args: Args<Self>) -> Result<Machine> {
///         cx.provider.find(&args.name).await?.context("No Such Machine").at(path!(name))
///     }
/// }
///
/// // In `Provider::register`: registry.lookup::<MachineByName>("cloud_machine");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a lookup",
    label = "not a lookup",
    note = "write `impl Lookup for {Self}` with `read`"
)]
pub trait Lookup: Model + NoReservedNames + NoWriteOnlyAttributes + NoComputedAttributes {
    /// The resource whose objects are looked up.
    type Resource: Resource;

    /// Validates the configuration as a whole. For a single argument, use `#[attr(validate = …)]`. The provider is not
    /// configured yet.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn validate(cx: &RequestCx, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Finds the object.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read, for example that it does not exist. [`cx.defer`](Cx::defer) defers the read.
    fn read(
        cx: &Cx<<Self::Resource as Resource>::Provider>,
        args: Args<Self>,
    ) -> impl Future<Output = Result<Self::Resource>> + Send;
}
