//! The resource `random_integer`.

use ferroform::{ApplyCx, Config, Diagnostic, Known, Model, Planned, ReadCx, Resource, Result, path};

use crate::Random;
use crate::go_rand::GoRand;
use crate::keepers::Keepers;

const IMPORT_ERROR: &str = "Import Random Integer Error";

/// Generates a random integer in a range.
///
/// With the lifecycle option `create_before_destroy`, the old and the new object of a resource can exist at the same time,
/// if the integer is a part of their names. The generator is not a cryptographic one: for secrets, use `random_bytes`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, validate = range_is_valid)]
pub(crate) struct Integer {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    /// The smallest possible integer.
    #[attr(requires_replace)]
    min: i64,
    /// The largest possible integer.
    #[attr(requires_replace)]
    max: i64,
    /// A string that determines the integer: the same seed and range result in the same integer.
    #[attr(requires_replace)]
    seed: Option<String>,
    /// The integer.
    #[attr(computed, use_state_for_unknown)]
    result: i64,
    /// The integer as a string.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Integer {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<IntegerComputed> {
        let size = range_size(plan.min, plan.max)?;
        let result = plan.min + GoRand::for_attribute(plan.seed.as_deref())?.below(size);
        Ok(IntegerComputed { result, id: result.to_string() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID has the form `{result},{min},{max}` or `{result},{min},{max},{seed}`.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let parts: Vec<&str> = id.split(',').collect();
        let (&[result, min, max] | &[result, min, max, _]) = &*parts else {
            let forms = "{result},{min},{max} or {result},{min},{max},{seed}";
            return Err(Diagnostic::error(IMPORT_ERROR)
                .detail(format!("The import ID has the form {forms}."))
                .into());
        };
        let number = |name: &str, text: &str| {
            let detail = format!("The part {name} of the import ID must be an integer, but is {text:?}.");
            text.parse().map_err(|_| Diagnostic::error(IMPORT_ERROR).detail(detail))
        };
        Ok(Integer {
            keepers: Keepers::default(),
            min: number("{min}", min)?,
            max: number("{max}", max)?,
            seed: parts.get(3).map(|seed| seed.to_string()),
            result: number("{result}", result)?,
            id: result.to_owned(),
        })
    }
}

fn range_is_valid(integer: &Config<Integer>) -> Result<()> {
    match (&integer.min, &integer.max) {
        (Known(min), Known(max)) => range_size(*min, *max).map(drop),
        _ => Ok(()),
    }
}

/// The number of integers in the range, which must be positive and fit into 63 bits.
fn range_size(min: i64, max: i64) -> Result<i64> {
    let error = |detail: &str| Diagnostic::error("Create Random Integer Error").detail(detail).at(path!(max));
    if max < min {
        return Err(error("The maximum must not be smaller than the minimum.").into());
    }
    let size = max.checked_sub(min).and_then(|difference| difference.checked_add(1));
    Ok(size.ok_or_else(|| error("A range cannot contain more than 9223372036854775807 integers."))?)
}
