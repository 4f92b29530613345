//! The resource and the ephemeral resource `random_password`.

use bcrypt::Version;
use ferroform::{
    ApplyCx, Args, Change, Config, Context as _, EphemeralResource, Model, OpenCx, Opened, PlanCx, Planned,
    Proposed, RawState, ReadCx, RequestCx, Resource, Result, path,
};

use crate::Random;
use crate::arguments::{self, Arguments, ArgumentsComputed, StoredArguments};
use crate::characters::{Characters, check_kinds};

/// Generates a random password of letters, digits and special characters, with a cryptographic random number generator.
///
/// The resource has the same arguments as `random_string`, but Terraform does not show the result. It stores the result in
/// the state. If it is only for a write-only argument, the ephemeral resource `random_password` avoids that.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, version = 3, oldest)]
pub(crate) struct Password {
    #[attr(flatten)]
    arguments: Arguments,
    #[attr(flatten)]
    secrets: Secrets,
    /// Always `none`. It exists for compatibility: do not refer to it.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Password {
    type Provider = Random;

    async fn plan(_: &PlanCx<Self>, mut change: Change<Self>) -> Result<Proposed<Self>> {
        arguments::plan(&change.config.arguments, &mut change.plan.arguments);
        Ok(change.plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PasswordComputed> {
        let numeric = plan.arguments.numeric.unwrap_or(true);
        let result = Characters::try_from(plan.arguments.characters)?.generate(numeric)?;
        let arguments = ArgumentsComputed { number: numeric, numeric };
        Ok(PasswordComputed { arguments, secrets: Secrets::of(result)?.into(), id: "none".into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the password.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(Password { arguments: Arguments::of_imported(&id), secrets: Secrets::of(id)?, id: "none".into() })
    }

    async fn upgrade(_: &RequestCx, state: RawState) -> Result<Self> {
        let stored: Stored = state.read()?;
        let arguments = stored.arguments.upgrade(&stored.result);
        let secrets = match stored.bcrypt_hash {
            Some(bcrypt_hash) if bcrypt::verify(&stored.result, &bcrypt_hash).unwrap_or(false) => {
                Secrets { result: stored.result, bcrypt_hash }
            }
            // Version 0 has no hash, and versions 3.4.0 to 3.4.2 stored the hash of another string.
            _ => Secrets::of(stored.result)?,
        };
        Ok(Password { arguments, secrets, id: stored.id })
    }
}

/// The states of schema versions 0 to 2.
#[derive(Model, Clone, Debug, PartialEq)]
struct Stored {
    #[attr(flatten)]
    arguments: StoredArguments,
    #[attr(sensitive)]
    result: String,
    #[attr(sensitive)]
    bcrypt_hash: Option<String>,
    id: String,
}

/// Generates a random password of letters, digits and special characters, with a cryptographic random number generator.
///
/// Terraform does not store it, so it can only be used in other ephemeral values, such as write-only arguments of resources.
/// If a resource has no write-only argument for the password, use the resource `random_password`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, validate = kinds_are_allowed)]
pub(crate) struct EphemeralPassword {
    #[attr(flatten, inputs_only)]
    characters: Characters,
    /// Whether the result can contain digits. At least one of `numeric`, `special`, `upper` and `lower` must be true.
    #[attr(default = true)]
    numeric: bool,
    #[attr(flatten)]
    secrets: Secrets,
}

impl EphemeralResource for EphemeralPassword {
    type Provider = Random;
    type Private = ();

    async fn open(_: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let result = Characters::try_from(args.characters)?.generate(args.numeric)?;
        let secrets = Secrets::of(result)?.into();
        Ok(Opened::new(EphemeralPasswordComputed { secrets }, ()))
    }
}

fn kinds_are_allowed(config: &Config<EphemeralPassword>) -> Result<()> {
    Ok(check_kinds(&config.characters, &config.numeric, path!(numeric))?)
}

/// The password and its hash.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
struct Secrets {
    /// The password.
    #[attr(computed, sensitive, use_state_for_unknown)]
    result: String,
    /// The bcrypt hash of the password, or of its first 72 bytes if it is longer.
    #[attr(computed, sensitive, use_state_for_unknown)]
    bcrypt_hash: String,
}

impl Secrets {
    fn of(result: String) -> Result<Secrets> {
        // The cost and the version of Go's hashes.
        let hash = bcrypt::hash_with_result(&result, 10).context("Hash Generation Error")?;
        Ok(Secrets { result, bcrypt_hash: hash.format_for_version(Version::TwoA) })
    }
}
