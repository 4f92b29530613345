//! The resource `random_shuffle`.

use ferroform::{ApplyCx, Context as _, Model, Planned, Resource, Result};

use crate::go_rand::GoRand;
use crate::keepers::Keepers;
use crate::{Random, secure};

const ERROR: &str = "Random Read Error";

/// Generates a random permutation of a list of strings. The generator is not a cryptographic one.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Shuffle {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    /// A string that determines the permutation: the same seed and arguments result in the same permutation.
    #[attr(requires_replace)]
    seed: Option<String>,
    /// The strings.
    #[attr(requires_replace)]
    input: Vec<Option<String>>,
    /// The number of strings in the result. Defaults to the number of strings in `input`. The result contains all strings
    /// of `input` once before it contains one of them twice, and so on.
    #[attr(requires_replace)]
    result_count: Option<u64>,
    /// The permutation.
    #[attr(computed, use_state_for_unknown)]
    result: Vec<Option<String>>,
    /// Always `-`. It exists for compatibility: do not refer to it.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Shuffle {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ShuffleComputed> {
        let input = plan.input;
        let count = match plan.result_count {
            _ if input.is_empty() => 0,
            Some(count) => usize::try_from(count).context(ERROR)?,
            None => input.len(),
        };
        let mut generator = GoRand::for_attribute(plan.seed.as_deref())?;
        let mut result = secure::reserve(count, ERROR)?;
        while result.len() < count {
            let permutation = generator.permutation(input.len()).into_iter().take(count - result.len());
            result.extend(permutation.map(|index| input[index].clone()));
        }
        Ok(ShuffleComputed { result, id: "-".into() })
    }

    ferroform::state_only!(read, update, delete);
}
