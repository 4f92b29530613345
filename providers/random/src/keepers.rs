//! The argument `keepers`, which all resources have.

use std::collections::BTreeMap;

use ferroform::Known;
use ferroform::schema::ValueChange;

/// Values of which a change creates another random value.
pub(crate) type Keepers = BTreeMap<String, Option<String>>;

/// True if a keeper changes. A new keeper that is null is no change: the states of versions before 3.4 do not contain null
/// values, nor maps with null values only.
pub(crate) fn differ(keepers: &ValueChange<Keepers>) -> bool {
    let Known(plan) = &keepers.plan else { return true };
    let (plan, prior) = (plan.clone().unwrap_or_default(), keepers.prior.clone().unwrap_or_default());
    let has_new = plan.iter().any(|(key, value)| match prior.get(key) {
        Some(prior) => *value != Known(prior.clone()),
        None => *value != Known(None),
    });
    has_new || prior.keys().any(|key| !plan.contains_key(key))
}
