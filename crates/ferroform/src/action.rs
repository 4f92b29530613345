//! The trait of actions.

use std::future::Future;
use std::sync::Arc;

use ferroform_value::Value;

use crate::model::{Args, Config};
use crate::model_kinds::{NoComputedAttributes, NoReservedNames};
use crate::operation::{HasProvider, Invoke, PlanAction};
use crate::optional_method::{NotImplemented, is_implemented};
use crate::raw::{AnyAction, Definition, MethodFuture, RequestContext};
use crate::typed::{Typed, read, validate};
use crate::{MethodCx, Model, Provider, Registry, RequestCx, Result};

/// An action: an operation without a state, such as restarting a machine or sending a message.
///
/// Terraform 1.14 or later invokes an action before or after it changes a resource (`action_trigger`), or alone
/// (`terraform apply -invoke=action.cloud_restart.web`). The model is the configuration of the `action` block.
///
/// | method | receives | returns |
/// |---|---|---|
/// | [`validate`](Action::validate) | the configuration, with unknown values | the errors |
/// | [`plan`](Action::plan) | the configuration, with unknown values | the errors, or a deferral |
/// | [`invoke`](Action::invoke) | the configuration | the errors |
///
/// ```
/// use ferroform::{Action, Args, InvokeCx, Model, Result};
/// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx};
///
/// # struct Cloud;
/// # impl Cloud {
/// #     async fn drain(&self, _: &str) -> Result<()> { Ok(()) }
/// #     async fn restart(&self, _: &str) -> Result<()> { Ok(()) }
/// # }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// /// Restarts a machine.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Restart {
///     /// The ID of the machine.
///     machine_id: String,
///     /// Restarts the machine without draining it.
///     #[attr(default = false)]
///     force: bool,
/// }
///
/// impl Action for Restart {
///     type Provider = Cloud;
///
///     async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
///         if !args.force {
///             cx.progress("Draining the machine").await;
///             cx.provider.drain(&args.machine_id).await?;
///         }
///         cx.progress("Restarting the machine").await;
///         cx.provider.restart(&args.machine_id).await
///     }
/// }
///
/// // In `Provider::register`: registry.action::<Restart>("cloud_restart");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an action",
    label = "not an action",
    note = "write `impl Action for {Self}` with `invoke`"
)]
pub trait Action: Model<__Itself: NoReservedNames + NoComputedAttributes> {
    /// The provider of this action.
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

    /// Checks during the plan whether the action can be invoked, for example whether the remote object exists. Values
    /// that come from resources without a state yet are unknown. An action without this method is planned without a
    /// call of the provider.
    ///
    /// # Errors
    ///
    /// The reason why the action cannot be invoked. [`cx.defer`](crate::MethodCx::defer) defers it.
    fn plan(cx: &PlanActionCx<Self>, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Invokes the action. [`cx.progress`](crate::MethodCx::progress) reports its progress to the practitioner.
    ///
    /// If the practitioner interrupts Terraform, the invocation is [canceled](RequestCx::is_cancelled), and dropped 20
    /// seconds later.
    ///
    /// # Errors
    ///
    /// The reason why the invocation failed. Terraform then ends the run with this error.
    fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> impl Future<Output = Result<()>> + Send;
}

/// The context of [`Action::plan`] of the action `A`.
pub type PlanActionCx<A> = MethodCx<A, PlanAction>;

/// The context of [`Action::invoke`] of the action `A`. An invocation cannot be deferred, because it is planned already.
pub type InvokeCx<A> = MethodCx<A, Invoke>;

impl<T: Action> HasProvider<PlanAction> for T {
    type Provider = <T as Action>::Provider;
}

impl<T: Action> HasProvider<Invoke> for T {
    type Provider = <T as Action>::Provider;
}

impl<A: Action> AnyAction for Typed<A> {
    fn has_plan(&self) -> bool {
        is_implemented(&A::plan)
    }

    fn plan(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<A> = read(&config, "Configuration")?;
            A::plan(&PlanActionCx::<A>::new(context)?, config).await
        })
    }

    fn invoke(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let args: Args<A> = read(&config, "Configuration")?;
            A::invoke(&InvokeCx::<A>::new(context)?, args).await
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers an action under its type name in configurations, such as `local_command`.
    pub fn action<A: Action<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw(name, Definition::Action(Arc::new(Typed::<A>::new(A::schema, validate!(A, A), ()))))
    }
}
