//! The ephemeral resource `postgresql_password`.

use ferroform::validators::between;
use ferroform::{Args, Diagnostic, EphemeralResource, Model, OpenCx, Opened, Result};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::provider::Postgresql;

/// The characters of a password. They need no escaping in URLs, shells and connection strings.
const CHARACTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Generates a random password for the `password_wo` attribute of a role. Terraform does not store the password.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Password {
    /// The number of characters.
    #[attr(default = 32, validate = between(16, 256))]
    length: u16,
    /// The generated password, which consists of letters and digits.
    #[attr(computed, sensitive)]
    password: String,
}

impl EphemeralResource for Password {
    type Provider = Postgresql;
    type Private = ();

    async fn open(_: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let random = SystemRandom::new();
        let mut password = String::new();
        while password.len() < args.length.into() {
            let mut byte = [0; 1];
            random.fill(&mut byte).map_err(|_| {
                Diagnostic::error("Cannot Generate Password")
                    .detail("The operating system returned no random numbers.")
            })?;
            // Each character corresponds to four of the 256 values, and the other values are skipped, so all characters are equally likely.
            if let Some(character) = CHARACTERS.get(usize::from(byte[0] / 4)) {
                password.push(char::from(*character));
            }
        }
        Ok(Opened::new(PasswordComputed { password }, ()))
    }
}
