//! The `random_password` resource and ephemeral resource.

use bcrypt::Version;
use ferroform::{
    ApplyCx, Args, Config, Context as _, Diagnostics, EphemeralResource, Model, OpenCx, Opened, Planned,
    ReadCx, Resource, Result, path,
};

use crate::Random;
use crate::arguments::{Arguments, StoredArguments, plan_numeric};
use crate::characters::{Characters, check_character_classes};

/// Generates a random password of letters, digits and special characters, with a cryptographically secure random number
/// generator.
///
/// The arguments are those of `random_string`. Terraform masks the password in its output but stores it in state. If you only
/// pass it to a write-only argument, use the `random_password` ephemeral resource, which Terraform does not store.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, version = 3, upgrade_from = Stored)]
pub(crate) struct Password {
    #[attr(flatten, plan_with = plan_numeric)]
    arguments: Arguments,
    #[attr(flatten)]
    secrets: Secrets,
    /// Always `none`. Exists for compatibility; do not reference it.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Password {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PasswordComputed> {
        let arguments = Arguments::try_from(plan.arguments)?;
        let result = arguments.characters.generate(arguments.numeric)?;
        let secrets = Secrets::from_password(result)?.into();
        Ok(PasswordComputed { arguments: arguments.into(), secrets, id: "none".into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the password.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(Password {
            arguments: Arguments::for_import(&id),
            secrets: Secrets::from_password(id)?,
            id: "none".into(),
        })
    }
}

impl TryFrom<Stored> for Password {
    type Error = Diagnostics;

    fn try_from(stored: Stored) -> Result<Password> {
        let arguments = stored.arguments.upgrade(&stored.result);
        let secrets = match stored.bcrypt_hash {
            Some(bcrypt_hash) if bcrypt::verify(&stored.result, &bcrypt_hash).unwrap_or(false) => {
                Secrets { result: stored.result, bcrypt_hash }
            }
            // Schema version 0 has no hash. Provider versions 3.4.0 to 3.4.2 stored the hash of a different string.
            _ => Secrets::from_password(stored.result)?,
        };
        Ok(Password { arguments, secrets, id: stored.id })
    }
}

/// The state of schema versions 0 to 2.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 0..=2)]
struct Stored {
    #[attr(flatten)]
    arguments: StoredArguments,
    #[attr(sensitive)]
    result: String,
    #[attr(sensitive)]
    bcrypt_hash: Option<String>,
    id: String,
}

/// Generates a random password of letters, digits and special characters, with a cryptographically secure random number
/// generator.
///
/// Terraform does not store the password, so you can only use it in ephemeral contexts, such as write-only arguments of
/// resources. If a resource has no write-only argument for the password, use the `random_password` resource.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, validate = character_classes_are_allowed)]
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
        let secrets = Secrets::from_password(result)?.into();
        Ok(Opened::new(EphemeralPasswordComputed { secrets }, ()))
    }
}

fn character_classes_are_allowed(config: &Config<EphemeralPassword>) -> Result<()> {
    Ok(check_character_classes(&config.characters, &config.numeric, path!(numeric))?)
}

/// The password and its hash.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
struct Secrets {
    /// The generated password.
    #[attr(computed, sensitive, use_state_for_unknown)]
    result: String,
    /// The bcrypt hash of the password, or of its first 72 bytes if it is longer.
    #[attr(computed, sensitive, use_state_for_unknown)]
    bcrypt_hash: String,
}

impl Secrets {
    fn from_password(result: String) -> Result<Secrets> {
        // The cost and the hash version of Go's bcrypt package.
        let hash = bcrypt::hash_with_result(&result, 10).context("Hash Generation Error")?;
        Ok(Secrets { result, bcrypt_hash: hash.format_for_version(Version::TwoA) })
    }
}
