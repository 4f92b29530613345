//! The plans of flattened models: `#[attr(flatten, plan_with = function)]`.

use ferroform_value::Value;

use crate::operation::Plan;
use crate::raw::AnyChange;
use crate::{Attr as _, Change, MethodCx, Model, PlanCx, Proposed, Resource, Result, Unhandled};

/// Used by the derive: the plans of the models that are flattened into this one.
pub trait FlattenedPlans {
    /// Calls the functions, inner ones first.
    ///
    /// # Errors
    ///
    /// Those of the functions.
    fn plan_flattened<R: Resource>(_: &PlanCx<R>, _: &mut AnyChange) -> Result<()> {
        Ok(())
    }
}

/// The identity of a flattened model without identity attributes.
impl FlattenedPlans for () {}

impl<R: Resource> MethodCx<R, Plan> {
    /// Used by the derive: calls the function with the part of the change that belongs to the flattened model.
    #[doc(hidden)]
    pub fn __plan_flattened<M: Model>(
        &self,
        change: &mut AnyChange,
        plan: impl FnOnce(&PlanCx<R>, Change<M>) -> Result<Proposed<M>>,
    ) -> Result<()> {
        let prior = match &change.prior {
            Value::Null => None,
            prior => Some(M::__read_flattened(prior, Unhandled::default())?),
        };
        let config = M::View::__read_flattened(&change.config, Unhandled::default())?;
        let planned = M::View::__read_flattened(&change.plan, Unhandled::default())?;
        let planned = plan(self, Change::new(config, prior, planned))?.to_value();
        if let (Value::Object(all), Value::Object(planned)) = (&mut change.plan, planned) {
            for (name, value) in planned {
                all.insert(name, value);
            }
        }
        Ok(())
    }
}
