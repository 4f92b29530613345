//! The methods of resources without a remote object, such as a random value: the state is the only record of the object.

use ferroform_value::Value;

use super::Resource;
use crate::{Attr as _, Planned, Result};

/// Implements methods of a [`Resource`] without a remote object, such as a random value, a point in time or a key. The
/// state is the only record of such an object, so these methods have nothing to call. Call the macro inside the
/// `impl` block, with the names of the methods:
///
/// | method | effect |
/// |---|---|
/// | `read` | returns the state unchanged |
/// | `delete` | does nothing: Terraform removes the object from the state |
/// | `update` | stores the planned values. Computed values that are unknown in the plan keep their prior values. Without it, every change requires replacement |
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

/// The planned object, with the prior value of each attribute that is not wholly known, which is the whole prior value of an
/// attribute with an unknown value inside.
///
/// # Errors
///
/// If the object cannot be read, which is a bug in the type of an attribute.
#[doc(hidden)]
pub fn planned_or_prior<R: Resource>(prior: &R, plan: &Planned<R>) -> Result<R> {
    let (prior, mut plan) = (prior.to_value(), plan.to_value());
    if let Value::Object(planned) = &mut plan {
        for (name, value) in planned.iter_mut().filter(|(_, it)| !it.is_wholly_known()) {
            *value = prior.attribute_or_null(name).clone();
        }
    }
    Ok(R::from_value(&plan)?)
}
