//! The object, the provider and the clock that functions of `requires_replace_if` can use.

use std::sync::Arc;

use ferroform_value::Value;

use crate::schema::ValueChange;
use crate::{Attr, Change, Clock, Model, Provider, Unhandled};

/// Reads an object, or the part of it that belongs to a flattened model.
fn read<T: Attr>(object: &Value) -> Option<T> {
    T::__read_flattened(object, Unhandled::default()).ok()
}

impl<T: Attr> ValueChange<T> {
    /// The change of the object that contains the attribute, with its model: the resource, or the nested model. For an
    /// attribute of a flattened model, `M` is the flattened model or the model that contains it. `None` in `plan_with`, in
    /// unit tests, and if one of the values is not an object of the model, because the state upgrade of the prior state is
    /// incomplete, or because the configuration does not contain the object.
    ///
    /// ```
    /// use ferroform::schema::ValueChange;
    /// use ferroform::{Known, Model};
    ///
    /// /// A disk. In the class "archive", its size is fixed.
    /// #[derive(Model, Clone, Debug, PartialEq)]
    /// struct Disk {
    ///     class: String,
    ///     #[attr(requires_replace_if = is_fixed)]
    ///     size: u64,
    /// }
    ///
    /// fn is_fixed(change: &ValueChange<u64>) -> bool {
    ///     change.object::<Disk>().is_none_or(|disk| disk.plan.class != Known("standard".to_owned()))
    /// }
    /// ```
    pub fn object<M: Model>(&self) -> Option<Change<M>> {
        let [config, prior, plan] = self.context.object.as_ref()?;
        let prior = if prior.is_null() { None } else { Some(read(prior)?) };
        Some(Change::new(read(config)?, prior, read(plan)?))
    }

    /// The provider. `None` in `plan_with`, in unit tests, and if the provider is not configured, because its configuration has
    /// unknown values.
    pub fn provider<P: Provider>(&self) -> Option<Arc<P>> {
        self.context.provider.clone()?.downcast().ok()
    }

    /// The clock, with the current time as [`Clock::system_time`]. Terraform plans a change more than once and expects the same
    /// result, so round the time, for example to days.
    pub fn clock(&self) -> &Clock {
        &self.context.clock
    }
}
