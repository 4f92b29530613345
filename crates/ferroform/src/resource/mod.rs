//! The trait of managed resources.

use std::future::Future;

pub(crate) mod flattened_plan;
mod moves;
mod object_identity;
pub(crate) mod state_only;
mod typed;
mod value_change;

use self::flattened_plan::FlattenedPlans;
pub use self::moves::{MoveSource, Moves};
pub use self::object_identity::Identity;
use crate::model::{Config, Planned, Proposed};
use crate::model_kinds::NoReservedNames;
use crate::operation::{Apply, HasProvider, Plan, Read};
use crate::optional_method::NotImplemented;
use crate::{MethodCx, Model, MoveCx, Provider, RawState, RequestCx, Result};

/// A managed resource: Terraform creates, reads, updates and deletes its objects.
///
/// The methods are plain `async fn`s. Their signatures show which values may be unknown. Only `create`, `read` and
/// `delete` are required. If there is no remote object, [`state_only!`](crate::state_only) implements all but `create`.
///
/// | method | receives | returns |
/// |---|---|---|
/// | [`validate`](Resource::validate) | the configuration, with unknown values | the errors |
/// | [`plan`](Resource::plan) | the configuration, the prior state and the plan after all plan modifiers | the planned state |
/// | [`create`](Resource::create), [`update`](Resource::update) | the planned state | the computed attributes |
/// | [`read`](Resource::read) | the state | the new state, or `None` if the object does not exist |
/// | [`delete`](Resource::delete) | the state | |
/// | [`plan_delete`](Resource::plan_delete) | the state | |
/// | [`import`](Resource::import) | an import ID | the state |
/// | [`import_by_identity`](Resource::import_by_identity) | an identity | the state |
/// | [`upgrade`](Resource::upgrade) | a state of an earlier schema version | the state |
/// | [`moves`](Resource::moves), [`move_from`](Resource::move_from) | a state of another resource type | the state |
///
/// [`#[derive(Model)]`](derive@crate::Model) implements the traits that this trait requires. Ferroform does not call a
/// method that the implementation omits.
///
/// ```
/// use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
/// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx};
///
/// # struct Cloud;
/// # impl Cloud {
/// #     async fn start(&self, _: &str) -> Result<String> { Ok("m-1".to_owned()) }
/// #     async fn exists(&self, _: &str) -> Result<bool> { Ok(true) }
/// #     async fn stop(&self, _: &str) -> Result<()> { Ok(()) }
/// # }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(registry: &mut Registry<Self>) { registry.resource::<Machine>("cloud_machine"); }
/// # }
/// /// A virtual machine.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     /// The name of the machine.
///     #[attr(requires_replace)]
///     name: String,
///     /// The ID that the service assigns.
///     #[attr(computed, use_state_for_unknown)]
///     id: String,
/// }
///
/// impl Resource for Machine {
///     type Provider = Cloud;
///
///     async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
///         Ok(MachineComputed { id: cx.provider.start(&plan.name).await? })
///     }
///
///     async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
///         Ok(cx.provider.exists(&state.id).await?.then_some(state))
///     }
///
///     async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
///         cx.provider.stop(&state.id).await
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "write `impl Resource for {Self}` with `create`, `read` and `delete`"
)]
pub trait Resource:
    Model<Identity: Identity<Self>, __Itself: NoReservedNames + FlattenedPlans> + Send + Sync
{
    /// The provider of this resource.
    type Provider: Provider;

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

    /// True if the resource has the `read` of [`state_only!`](crate::state_only).
    #[doc(hidden)]
    const __STATE_ONLY_READ: bool = false;

    /// True if the resource has the `delete` of [`state_only!`](crate::state_only).
    #[doc(hidden)]
    const __STATE_ONLY_DELETE: bool = false;

    /// Modifies the plan: for example sets computed values that are already known, requests a replacement, or rejects
    /// the change by returning an error. For a destroy, [`plan_delete`](Resource::plan_delete) is called instead.
    /// If the method is omitted, the plan that follows from the schema and the plan modifiers is final.
    ///
    /// # Errors
    ///
    /// The reason why the change is rejected.
    fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> impl Future<Output = Result<Proposed<Self>>> + Send {
        let _ = (cx, change);
        NotImplemented::new()
    }

    /// Adds warnings to a plan that destroys the object with `cx.warn`, or rejects the plan by returning an error.
    ///
    /// It also runs if a change requires replacement. Then the planned private state is that of the new object, so values
    /// that this method stores in private state are lost. Terraform does not inform the provider about a replacement for
    /// another reason, such as `-replace` or a tainted object.
    ///
    /// # Errors
    ///
    /// The reason why the plan is rejected.
    fn plan_delete(cx: &ReadCx<Self>, state: Self) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, state);
        NotImplemented::new()
    }

    /// Creates the object and returns its computed attributes. The other attributes of the new state come from the
    /// plan.
    ///
    /// # Errors
    ///
    /// The reason why the object cannot be created. If the method has recorded a [checkpoint](crate::MethodCx::checkpoint), the
    /// state contains the object with the recorded values, marked as tainted.
    fn create(cx: &ApplyCx<Self>, plan: Planned<Self>)
    -> impl Future<Output = Result<Self::Computed>> + Send;

    /// Reads the remote object. `None` means that it does not exist anymore: Terraform removes it from the state and
    /// plans to create it again.
    ///
    /// # Errors
    ///
    /// The reason why the object cannot be read. The state stays unchanged.
    fn read(cx: &ReadCx<Self>, state: Self) -> impl Future<Output = Result<Option<Self>>> + Send;

    /// Updates the object in place and returns its computed attributes. If the method is omitted, every change requires
    /// replacement.
    ///
    /// # Errors
    ///
    /// The reason why the object cannot be updated. The state contains the prior values and those of
    /// [checkpoints](crate::MethodCx::checkpoint).
    fn update(
        cx: &ApplyCx<Self>,
        prior: Self,
        plan: Planned<Self>,
    ) -> impl Future<Output = Result<Self::Computed>> + Send {
        let _ = (cx, prior, plan);
        NotImplemented::new()
    }

    /// Deletes the object. If the remote object does not exist anymore, return `Ok(())`.
    ///
    /// # Errors
    ///
    /// The reason why the object cannot be deleted. The state stays unchanged.
    fn delete(cx: &ApplyCx<Self>, state: Self) -> impl Future<Output = Result<()>> + Send;

    /// Imports an existing object by its import ID. Ferroform calls the method only for IDs that match no pattern of
    /// `#[attr(import = "…")]`. If the method is omitted, it rejects such IDs.
    ///
    /// # Errors
    ///
    /// The reason why the ID is not valid, or that the object does not exist.
    fn import(cx: &ReadCx<Self>, id: String) -> impl Future<Output = Result<Self>> + Send {
        let _ = (cx, id);
        NotImplemented::new()
    }

    /// Imports an existing object by its [identity](crate::Identity). If you omit the method, Ferroform copies the identity
    /// attributes of the same names to the object. So if an import must set an identity attribute that is not an attribute
    /// of the resource, the method is required. Terraform calls `read` next, so only the fields that `read` needs have to be
    /// set. A field of the identity struct is `None` if the `import` block omits it.
    ///
    /// ```
    /// # use ferroform::{ApplyCx, Identity, Known, Maybe, Planned, Provider, Registry, RequestCx};
    /// use ferroform::{Model, ReadCx, Resource, Result};
    ///
    /// # struct Broker;
    /// # impl Provider for Broker {
    /// #     const ADDRESS: &'static str = "registry.terraform.io/example/broker";
    /// #     type Config = ();
    /// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Broker)) }
    /// #     fn register(registry: &mut Registry<Self>) { registry.resource::<Binding>("broker_binding"); }
    /// # }
    /// #[derive(Model, Clone, Debug, PartialEq)]
    /// #[attr(identity = BindingIdentity)]
    /// struct Binding {
    ///     #[attr(requires_replace)]
    ///     exchange: String,
    ///     #[attr(requires_replace)]
    ///     queue: String,
    /// }
    ///
    /// #[derive(Model, Clone, Debug, PartialEq)]
    /// struct BindingIdentity {
    ///     /// The exchange and the queue, separated by `/`.
    ///     path: String,
    /// }
    ///
    /// impl Identity<Binding> for BindingIdentity {
    ///     fn of(_: &Broker, it: &Binding) -> Result<Self> {
    ///         Ok(BindingIdentity { path: format!("{}/{}", it.exchange, it.queue) })
    ///     }
    /// }
    ///
    /// impl Resource for Binding {
    ///     type Provider = Broker;
    ///
    ///     async fn import_by_identity(_: &ReadCx<Self>, identity: BindingIdentity) -> Result<Self> {
    ///         let (exchange, queue) = identity.path.split_once('/').unwrap_or_default();
    ///         Ok(Binding { exchange: exchange.to_owned(), queue: queue.to_owned() })
    ///     }
    ///     // …
    /// #     async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<BindingComputed> { Ok(BindingComputed {}) }
    /// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
    /// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
    /// }
    /// # assert!(ferroform::server::<Broker>().definition_errors().is_empty());
    /// ```
    ///
    /// # Errors
    ///
    /// The reason why the identity is invalid, or an error if the object does not exist.
    fn import_by_identity(
        cx: &ReadCx<Self>,
        identity: Self::Identity,
    ) -> impl Future<Output = Result<Self>> + Send {
        let _ = (cx, identity);
        NotImplemented::new()
    }

    /// Upgrades a state of an earlier schema version that no `upgrade_from` covers. If the method is omitted, such
    /// states are rejected. The provider may not be configured yet.
    ///
    /// # Errors
    ///
    /// The reason why the state cannot be upgraded.
    fn upgrade(cx: &RequestCx, stored: RawState) -> impl Future<Output = Result<Self>> + Send {
        let _ = (cx, stored);
        NotImplemented::new()
    }

    /// Registers the resource types whose states a `moved` block can move to this one. The model of each source
    /// converts into `Self` with `From` or `TryFrom`.
    fn moves(moves: &mut Moves<Self>) {
        let _ = moves;
    }

    /// Moves an object of a resource type that [`moves`](Resource::moves) does not register. `None` means that this
    /// resource does not support the source. The provider may not be configured yet.
    ///
    /// # Errors
    ///
    /// The reason why the object cannot be moved.
    fn move_from(cx: &MoveCx, source: MoveSource) -> impl Future<Output = Result<Option<Self>>> + Send {
        let _ = (cx, source);
        NotImplemented::new()
    }
}

/// The context of `read`, `import` and `plan_delete` of the resource `R`.
pub type ReadCx<R> = MethodCx<R, Read>;

/// The context of [`Resource::plan`] of the resource `R`.
///
/// ```
/// # use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};
/// use ferroform::{Change, PlanCx, Proposed, path};
///
/// # struct Cloud { can_resize: bool }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud { can_resize: true })) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Disk { size: u64 }
/// impl Resource for Disk {
///     type Provider = Cloud;
///
///     async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
///         if !cx.provider.can_resize {
///             cx.requires_replace(path!(size));
///         }
///         Ok(change.plan)
///     }
///     // …
/// #     async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<DiskComputed> { Ok(DiskComputed {}) }
/// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
/// }
/// ```
pub type PlanCx<R> = MethodCx<R, Plan>;

/// The context of `create`, `update` and `delete` of the resource `R`.
///
/// These methods change the remote object, so they can record [checkpoints](MethodCx::checkpoint). They cannot defer the
/// operation, because it is planned already.
///
/// ```
/// # use ferroform::{Known, Maybe, Model, Provider, ReadCx, Registry, RequestCx};
/// use ferroform::{ApplyCx, Planned, Resource, Result, path};
///
/// # struct Cloud;
/// # impl Cloud {
/// #     async fn start(&self, _: &str) -> Result<String> { Ok("m-1".to_owned()) }
/// #     async fn attach_disk(&self, _: &str) -> Result<()> { Ok(()) }
/// # }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Machine { name: String, #[attr(computed)] id: String }
/// impl Resource for Machine {
///     type Provider = Cloud;
///
///     async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
///         let id = cx.provider.start(&plan.name).await?;
///         // From here on the machine exists. If attaching the disk fails, the state contains its ID.
///         cx.checkpoint_at(path!(id), &id);
///         cx.provider.attach_disk(&id).await?;
///         Ok(MachineComputed { id })
///     }
///     // …
/// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
/// }
/// ```
pub type ApplyCx<R> = MethodCx<R, Apply>;

impl<T: Resource> HasProvider<Read> for T {
    type Provider = <T as Resource>::Provider;
}

impl<T: Resource> HasProvider<Plan> for T {
    type Provider = <T as Resource>::Provider;
}

impl<T: Resource> HasProvider<Apply> for T {
    type Provider = <T as Resource>::Provider;
}

/// A planned change: [`Resource::plan`] receives it.
///
/// ```
/// use ferroform::{Change, Known, Model, Proposed};
///
/// /// A document.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Document {
///     text: String,
///     #[attr(computed)]
///     length: usize,
/// }
///
/// /// The length is known as soon as the text is known.
/// fn plan_length(change: Change<Document>) -> Proposed<Document> {
///     let mut plan = change.plan;
///     if let Known(text) = &plan.text {
///         plan.length = Known(text.len());
///     }
///     plan
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change<M: Model> {
    /// The configuration, including values of `default_with`.
    pub config: Config<M>,
    /// The prior state; `None` if the object will be created.
    pub prior: Option<M>,
    /// The plan so far: the proposed new state with defaults and plan modifiers applied. Computed values that can
    /// change are unknown.
    pub plan: Proposed<M>,
}

impl<M: Model> Change<M> {
    /// A change, for unit tests of functions that customize a plan.
    pub fn new(config: Config<M>, prior: Option<M>, plan: Proposed<M>) -> Change<M> {
        Change { config, prior, plan }
    }
}
