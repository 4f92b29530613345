//! The `random_pet` resource.

use ferroform::{ApplyCx, Model, Planned, Resource, Result};
use petname::Petnames;
use rand::seq::IndexedRandom as _;

use crate::keepers::Keepers;
use crate::{Random, secure};

const ERROR: &str = "Random Read Error";

/// Generates a random name that is easy to remember, such as `able-ox`.
///
/// Use it in the name of a resource with `lifecycle { create_before_destroy = true }`: the replacement gets a different name,
/// so both objects can exist at the same time.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Pet {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    /// The number of words.
    #[attr(requires_replace, default = 2)]
    length: i64,
    /// A string to prepend to the name, followed by the separator.
    #[attr(requires_replace)]
    prefix: Option<String>,
    /// The string that separates the words.
    #[attr(requires_replace, default = "-")]
    separator: String,
    /// The generated name.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Pet {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PetComputed> {
        let mut generator = secure::generator(ERROR)?;
        secure::validate_size(plan.length.unsigned_abs(), ERROR)?;
        let lists = Petnames::small();
        let mut choose = |words: &[&'static str]| words.choose(&mut generator).copied().unwrap_or_default();
        // Any number of adverbs, an adjective and a noun. A name of one word is a noun.
        let mut words: Vec<&str> = (2..plan.length).map(|_| choose(&lists.adverbs)).collect();
        if plan.length != 1 {
            words.push(choose(&lists.adjectives));
        }
        words.push(choose(&lists.nouns));
        let name = words.join(&plan.separator).to_lowercase();
        let prefix = plan.prefix.filter(|prefix| !prefix.is_empty());
        let id = prefix.map_or(name.clone(), |prefix| format!("{prefix}{}{name}", plan.separator));
        Ok(PetComputed { id })
    }

    ferroform::state_only!(read, update, delete);
}
