//! The `random_shuffle` resource.

use ferroform::{ApplyCx, Model, Planned, Resource, Result};

use crate::go_rand::GoRand;
use crate::keepers::Keepers;
use crate::{Random, secure};

const ERROR: &str = "Random Read Error";

/// Shuffles a list of strings. The random number generator is not cryptographically secure.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Shuffle {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    /// A seed for the random number generator. The same seed and arguments always produce the same result.
    #[attr(requires_replace)]
    seed: Option<String>,
    /// The list of strings to shuffle.
    #[attr(requires_replace)]
    input: Vec<Option<String>>,
    /// The number of strings in the result. Defaults to the length of `input`. If it exceeds the length of `input`, each
    /// string is used once before any is repeated.
    #[attr(requires_replace)]
    result_count: Option<u64>,
    /// The shuffled list.
    #[attr(computed, use_state_for_unknown)]
    result: Vec<Option<String>>,
    /// Always `-`. Exists for compatibility; do not reference it.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Shuffle {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ShuffleComputed> {
        let input = plan.input;
        let count = match plan.result_count {
            _ if input.is_empty() => 0,
            Some(count) => secure::validate_size(count, ERROR)?,
            None => input.len(),
        };
        let mut generator = GoRand::for_attribute(plan.seed.as_deref())?;
        let mut result = Vec::with_capacity(count);
        while result.len() < count {
            let permutation = generator.permutation(input.len()).into_iter().take(count - result.len());
            result.extend(permutation.map(|index| input[index].clone()));
        }
        Ok(ShuffleComputed { result, id: "-".into() })
    }

    ferroform::state_only!(read, update, delete);
}
