//! The `random_bytes` resource and ephemeral resource.

use std::collections::BTreeMap;

use base64::Engine as _;
use ferroform::validators::at_least;
use ferroform::{ApplyCx, Args, EphemeralResource, Model, OpenCx, Opened, Planned, ReadCx, Resource, Result};

use crate::Random;
use crate::encoding::{BASE64, decode, hex};
use crate::secure;

/// Generates random bytes for secrets such as keys, with a cryptographically secure random number generator.
///
/// Terraform masks the bytes in its output but stores them in state. If you only pass them to a write-only argument, use
/// the `random_bytes` ephemeral resource, which Terraform does not store. For bytes that are not secret, use `random_id`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Bytes {
    /// Arbitrary map of values. Changing one of them replaces the resource. See [Resource "Keepers"](../index.md).
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
        Ok(BytesComputed { encoded: Encoded::from_bytes(&bytes).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the bytes in base64.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let bytes = decode(&id, &BASE64, "base64 with padding", "Import Random bytes Error")?;
        let encoded = Encoded { base64: id, hex: hex(&bytes) };
        Ok(Bytes { keepers: None, length: bytes.len() as u64, encoded })
    }
}

/// Generates random bytes for secrets such as keys, with a cryptographically secure random number generator.
///
/// Terraform does not store the bytes, so you can only use them in ephemeral contexts, such as write-only arguments of
/// resources. If a resource has no write-only argument for the secret, use the `random_bytes` resource.
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
        Ok(Opened::new(EphemeralBytesComputed { encoded: Encoded::from_bytes(&bytes).into() }, ()))
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
    fn from_bytes(bytes: &[u8]) -> Encoded {
        Encoded { base64: BASE64.encode(bytes), hex: hex(bytes) }
    }
}
