//! The methods of resources without a remote object, such as a random value: the state is the only record of the object.

use std::sync::Arc;

use ferroform_engine::contract::provider_bug;
use ferroform_value::Value;

use super::Resource;
use crate::{Attr as _, Diagnostics, Planned, Result};

/// Implements methods of a [`Resource`] without a remote object, such as a random value, a point in time or a key. The
/// state is the only record of such an object, so these methods have nothing to call. Call the macro inside the
/// `impl` block, with the names of the methods:
///
/// | method | effect |
/// |---|---|
/// | `read` | returns the state unchanged |
/// | `delete` | does nothing: Terraform removes the object from the state. |
/// | `update` | stores the planned values. Computed values that are unknown in the plan keep their prior values; if a new element has one, the update fails. Without it, every change requires replacement |
///
/// With `read` or `delete`, tests accept that a read after the destroy returns the object.
///
/// ```
/// use ferroform::{ApplyCx, Model, Planned, Resource, Result};
/// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx};
/// # struct Random;
/// # impl Provider for Random {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/random";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Random)) }
/// #     fn register(registry: &mut Registry<Self>) { registry.resource::<Dice>("random_dice"); }
/// # }
///
/// /// The roll of a die.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Dice {
///     /// Changing it rolls the die again.
///     #[attr(requires_replace)]
///     turn: Option<u32>,
///     /// A note, which can be changed.
///     note: Option<String>,
///     /// The number of pips.
///     #[attr(computed, use_state_for_unknown)]
///     pips: u8,
/// }
///
/// impl Resource for Dice {
///     type Provider = Random;
///
///     async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<DiceComputed> {
///         Ok(DiceComputed { pips: 4 }) // Chosen by fair dice roll.
///     }
///
///     ferroform::state_only!(read, update, delete);
/// }
/// ```
#[macro_export]
macro_rules! state_only {
    (@method read) => {
        const __STATE_ONLY_READ: bool = true;

        async fn read(
            _: &$crate::ReadCx<Self>,
            state: Self,
        ) -> $crate::Result<::core::option::Option<Self>> {
            ::core::result::Result::Ok(::core::option::Option::Some(state))
        }
    };
    (@method update) => {
        async fn update(
            _: &$crate::ApplyCx<Self>,
            prior: Self,
            plan: $crate::Planned<Self>,
        ) -> $crate::Result<<Self as $crate::Model>::Computed> {
            $crate::__private::planned_or_prior(&prior, &plan).map(::core::convert::Into::into)
        }
    };
    (@method delete) => {
        const __STATE_ONLY_DELETE: bool = true;

        async fn delete(_: &$crate::ApplyCx<Self>, _: Self) -> $crate::Result<()> {
            ::core::result::Result::Ok(())
        }
    };
    (@method $other:ident) => {
        ::core::compile_error!("expected `read`, `update` or `delete`, such as `state_only!(read, delete)`");
    };
    ($($method:ident),+ $(,)?) => {
        $($crate::state_only!(@method $method);)+
    };
}

/// The planned object, with the prior value in place of each unknown value.
///
/// # Errors
///
/// If an unknown value has no prior value, because its element or object is new, or if the object cannot be read, which is a
/// bug in the type of an attribute.
#[doc(hidden)]
pub fn planned_or_prior<R: Resource>(prior: &R, plan: &Planned<R>) -> Result<R> {
    let object = known_or_prior(&plan.to_value(), Some(&prior.to_value()));
    let mut errors = Diagnostics::new();
    object.walk(&mut |path, part| {
        if part.is_unknown() {
            let message = "The value is unknown in the plan, and there is no prior value that `state_only!(update)` could \
                           keep. Implement the method `update`, or set the value in the method `plan`";
            errors.push(provider_bug("Missing Computed Value", message).at(path.clone()));
        }
        true
    });
    if errors.is_empty() { Ok(R::from_value(&object)?) } else { Err(errors) }
}

/// The planned value, with the prior value in place of each unknown value. Without a prior value, it stays unknown.
fn known_or_prior(planned: &Value, prior: Option<&Value>) -> Value {
    let Some(prior) = prior.filter(|_| !planned.is_wholly_known()) else { return planned.clone() };
    match planned {
        Value::Object(object) => {
            let member =
                |(name, it): (&Arc<str>, &Value)| (name.clone(), known_or_prior(it, prior.attribute(name)));
            Value::Object(object.iter().map(member).collect())
        }
        Value::Set(_) => planned.map_elements(|_, it| {
            let is_prior = |prior: &&Value| has_known_values(prior, it);
            let prior = if it.is_wholly_known() { None } else { prior.elements().find(is_prior) };
            known_or_prior(it, prior)
        }),
        Value::List(_) | Value::Map(_) => {
            let mut prior = planned.at_same_steps(prior);
            planned.map_elements(|_, it| known_or_prior(it, prior.next().flatten()))
        }
        _ => prior.clone(),
    }
}

/// True if the prior value has all known values of the planned one.
fn has_known_values(prior: &Value, planned: &Value) -> bool {
    planned.is_unknown() || prior.all_pairs(planned, has_known_values).unwrap_or_else(|| prior == planned)
}
