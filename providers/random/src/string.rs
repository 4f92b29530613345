//! The `random_string` resource.

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use crate::Random;
use crate::arguments::{Arguments, StoredArguments, plan_numeric};

/// Generates a random string of letters, digits and special characters, with a cryptographically secure random number
/// generator.
///
/// Terraform shows the string in its output. For secrets, use `random_password`. For unique identifiers, use `random_id`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, version = 2, upgrade_from = Stored)]
pub(crate) struct RandomString {
    #[attr(flatten, plan_with = plan_numeric)]
    arguments: Arguments,
    /// The generated string.
    #[attr(computed, use_state_for_unknown)]
    result: String,
    /// The generated string.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for RandomString {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RandomStringComputed> {
        let arguments = Arguments::try_from(plan.arguments)?;
        let result = arguments.characters.generate(arguments.numeric)?;
        Ok(RandomStringComputed { arguments: arguments.into(), id: result.clone(), result })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the string.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(RandomString { arguments: Arguments::for_import(&id), result: id.clone(), id })
    }
}

impl From<Stored> for RandomString {
    fn from(stored: Stored) -> RandomString {
        let arguments = stored.arguments.upgrade(&stored.result);
        RandomString { arguments, result: stored.result, id: stored.id }
    }
}

/// The state of schema versions 0 and 1.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 0..=1)]
struct Stored {
    #[attr(flatten)]
    arguments: StoredArguments,
    result: String,
    id: String,
}
