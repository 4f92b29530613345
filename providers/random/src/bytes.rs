//! The resource and the ephemeral resource `random_bytes`.

use std::collections::BTreeMap;

use base64::Engine as _;
use ferroform::validators::at_least;
use ferroform::{
    ApplyCx, Args, Context as _, EphemeralResource, Model, OpenCx, Opened, Planned, ReadCx, Resource, Result,
};

use crate::Random;
use crate::encoding::{BASE64, hex};
use crate::secure;

/// Generates random bytes for secrets such as keys, with a cryptographic random number generator.
///
/// Terraform does not show them, but stores them in the state. If they are only for a write-only argument, the
/// ephemeral resource `random_bytes` avoids that. For bytes that are not secret, use `random_id`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Bytes {
    /// Values of your choice. Changing one of them replaces the resource: see the page of the provider.
    #[attr(requires_replace)]
    keepers: Option<BTreeMap<String, Option<String>>>,
    /// The number of bytes.
    #[attr(requires_replace, validate = at_least(1))]
    length: u64,
    #[attr(flatten)]
    encoded: Encoded,
}

impl Resource for Bytes {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<BytesComputed> {
        let bytes = secure::bytes(plan.length, "Create Random bytes error")?;
        Ok(BytesComputed { encoded: Encoded::of(&bytes).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the value in base64.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let bytes = BASE64.decode(id.replace(['\r', '\n'], "")).context("Import Random bytes Error")?;
        let encoded = Encoded { base64: id, hex: hex(&bytes) };
        Ok(Bytes { keepers: None, length: bytes.len() as u64, encoded })
    }
}

/// Generates random bytes for secrets such as keys, with a cryptographic random number generator.
///
/// Terraform does not store them, so they can only be used in other ephemeral values, such as write-only arguments of
/// resources. If a resource has no write-only argument for the secret, use the resource `random_bytes`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct EphemeralBytes {
    /// The number of bytes.
    #[attr(validate = at_least(1))]
    length: u64,
    #[attr(flatten)]
    encoded: Encoded,
}

impl EphemeralResource for EphemeralBytes {
    type Provider = Random;
    type Private = ();

    async fn open(_: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let bytes = secure::bytes(args.length, "Random Read Error")?;
        Ok(Opened::new(EphemeralBytesComputed { encoded: Encoded::of(&bytes).into() }, ()))
    }
}

/// The bytes as strings.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
struct Encoded {
    /// The bytes in base64.
    #[attr(computed, sensitive, use_state_for_unknown)]
    base64: String,
    /// The bytes in lowercase hexadecimal: two characters for each byte.
    #[attr(computed, sensitive, use_state_for_unknown)]
    hex: String,
}

impl Encoded {
    fn of(bytes: &[u8]) -> Encoded {
        Encoded { base64: BASE64.encode(bytes), hex: hex(bytes) }
    }
}
