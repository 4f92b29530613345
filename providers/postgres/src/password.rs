//! The ephemeral resource `postgresql_password`.

use ferroform::validators::between;
use ferroform::{Args, Diagnostic, EphemeralResource, Model, OpenCx, Opened, Result};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::provider::Postgresql;

/// The characters of a password. They have the same meaning in URLs, shells and connection strings.
const CHARACTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A random password that is stored nowhere, for `password_wo` of a role.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Password {
    /// The number of characters.
    #[attr(default = 32, validate = between(16, 256))]
    length: u16,
    /// The password. It consists of letters and digits.
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
            random.fill(&mut byte).map_err(|_| Diagnostic::error("No Random Numbers Available"))?;
            // Four of the 256 values select each character, and the others none, so that all characters are equally likely.
            if let Some(character) = CHARACTERS.get(usize::from(byte[0] / 4)) {
                password.push(char::from(*character));
            }
        }
        Ok(Opened::new(PasswordComputed { password }, ()))
    }
}
