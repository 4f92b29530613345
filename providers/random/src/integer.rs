//! The `random_integer` resource.

use ferroform::{ApplyCx, Config, Diagnostic, Known, Model, Planned, ReadCx, Resource, Result, path};

use crate::Random;
use crate::go_rand::GoRand;
use crate::keepers::Keepers;

/// Generates a random integer in a range.
///
/// Use it in the name of a resource with `lifecycle { create_before_destroy = true }`: the replacement gets a different name,
/// so both objects can exist at the same time. The random number generator is not cryptographically secure: for secrets, use
/// `random_bytes`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, validate = range_is_valid, import = "{result},{min},{max},{seed?}")]
pub(crate) struct Integer {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    /// The minimum value of the range, inclusive.
    #[attr(requires_replace)]
    min: i64,
    /// The maximum value of the range, inclusive.
    #[attr(requires_replace)]
    max: i64,
    /// A seed for the random number generator. The same seed and range always produce the same integer.
    #[attr(requires_replace)]
    seed: Option<String>,
    /// The generated integer.
    #[attr(computed, use_state_for_unknown)]
    result: i64,
    /// The generated integer as a string.
    #[attr(composed = "{result}")]
    id: String,
}

impl Resource for Integer {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<IntegerComputed> {
        let size = range_size(plan.min, plan.max)?;
        let result = plan.min + GoRand::for_attribute(plan.seed.as_deref())?.below(size);
        Ok(IntegerComputed { result })
    }

    ferroform::state_only!(read, update, delete);

    /// Returns the error for an ID that does not match the import pattern.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let detail = format!(
            "The import ID must have the format {{result}},{{min}},{{max}} or {{result}},{{min}},{{max}},{{seed}}, where {{result}}, {{min}} and {{max}} are integers, but got {id:?}."
        );
        Err(Diagnostic::error("Import Random Integer Error").detail(detail).into())
    }
}

fn range_is_valid(integer: &Config<Integer>) -> Result<()> {
    match (&integer.min, &integer.max) {
        (Known(min), Known(max)) => range_size(*min, *max).map(drop),
        _ => Ok(()),
    }
}

/// Returns the number of integers in the range, which must be positive and fit into 63 bits.
fn range_size(min: i64, max: i64) -> Result<i64> {
    let error = |detail: &str| Diagnostic::error("Create Random Integer Error").detail(detail).at(path!(max));
    if max < min {
        return Err(error("\"max\" must be greater than or equal to \"min\".").into());
    }
    let size = max.checked_sub(min).and_then(|difference| difference.checked_add(1));
    Ok(size.ok_or_else(|| {
        error("The range from \"min\" to \"max\" can contain at most 9223372036854775807 integers.")
    })?)
}
