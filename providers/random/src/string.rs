//! The resource `random_string`.

use ferroform::{
    ApplyCx, Change, Model, PlanCx, Planned, Proposed, RawState, ReadCx, RequestCx, Resource, Result,
};

use crate::Random;
use crate::arguments::{self, Arguments, ArgumentsComputed, StoredArguments};
use crate::characters::Characters;

/// Generates a random string of letters, digits and special characters, with a cryptographic random number generator.
///
/// Terraform shows the string. For secrets, use `random_password`, and for unique identifiers `random_id`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, version = 2, oldest)]
pub(crate) struct RandomString {
    #[attr(flatten)]
    arguments: Arguments,
    /// The string.
    #[attr(computed, use_state_for_unknown)]
    result: String,
    /// The string.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for RandomString {
    type Provider = Random;

    async fn plan(_: &PlanCx<Self>, mut change: Change<Self>) -> Result<Proposed<Self>> {
        arguments::plan(&change.config.arguments, &mut change.plan.arguments);
        Ok(change.plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RandomStringComputed> {
        let numeric = plan.arguments.numeric.unwrap_or(true);
        let result = Characters::try_from(plan.arguments.characters)?.generate(numeric)?;
        let arguments = ArgumentsComputed { number: numeric, numeric };
        Ok(RandomStringComputed { arguments, id: result.clone(), result })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the string.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(RandomString { arguments: Arguments::of_imported(&id), result: id.clone(), id })
    }

    async fn upgrade(_: &RequestCx, state: RawState) -> Result<Self> {
        let stored: Stored = state.read()?;
        Ok(RandomString {
            arguments: stored.arguments.upgrade(&stored.result),
            result: stored.result,
            id: stored.id,
        })
    }
}

/// The states of schema versions 0 and 1.
#[derive(Model, Clone, Debug, PartialEq)]
struct Stored {
    #[attr(flatten)]
    arguments: StoredArguments,
    result: String,
    id: String,
}
