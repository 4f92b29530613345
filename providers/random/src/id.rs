//! The `random_id` resource.

use base64::Engine as _;
use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
use num_bigint::BigUint;

use crate::encoding::{BASE64, BASE64_URL, decode, hex};
use crate::keepers::Keepers;
use crate::{Random, secure};

/// Generates a random identifier, with a cryptographically secure random number generator.
///
/// An identifier of 16 bytes is as unique as a version 4 UUID. Use it in the name of a resource with
/// `lifecycle { create_before_destroy = true }`: the replacement gets a different name, so both objects can exist at the
/// same time. Terraform shows the identifier in its output. For secrets, use `random_bytes`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Id {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    /// The number of random bytes.
    #[attr(requires_replace)]
    byte_length: u64,
    /// A string to prepend to every encoding of the identifier except `id`. The string itself is not encoded.
    #[attr(requires_replace)]
    prefix: Option<String>,
    #[attr(flatten)]
    encodings: Encodings,
}

impl Resource for Id {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<IdComputed> {
        let bytes = secure::bytes(plan.byte_length, "Randomness Generation Error")?;
        let prefix = plan.prefix.unwrap_or_default();
        Ok(IdComputed { encodings: Encodings::from_bytes(&bytes, BASE64_URL.encode(&bytes), &prefix).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the `id` attribute. A prefix and a comma can precede it.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let (prefix, id) = id.rsplit_once(',').unwrap_or(("", &id));
        let bytes = decode(id, &BASE64_URL, "URL-safe base64 without padding", "Import Random ID Error")?;
        Ok(Id {
            keepers: Keepers::default(),
            byte_length: bytes.len() as u64,
            prefix: (!prefix.is_empty()).then(|| prefix.to_owned()),
            encodings: Encodings::from_bytes(&bytes, id.to_owned(), prefix),
        })
    }
}

/// The identifier in several encodings.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
struct Encodings {
    /// The identifier in URL-safe base64 without padding: letters, digits, `_` and `-`.
    #[attr(computed, use_state_for_unknown)]
    b64_url: String,
    /// The identifier in base64, with padding.
    #[attr(computed, use_state_for_unknown)]
    b64_std: String,
    /// The identifier in lowercase hexadecimal: two characters for each byte.
    #[attr(computed, use_state_for_unknown)]
    hex: String,
    /// The identifier as a decimal number without leading zeros.
    #[attr(computed, use_state_for_unknown)]
    dec: String,
    /// The identifier in URL-safe base64, without the prefix.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Encodings {
    fn from_bytes(bytes: &[u8], id: String, prefix: &str) -> Encodings {
        let with_prefix = |encoding: &str| format!("{prefix}{encoding}");
        Encodings {
            b64_url: with_prefix(&id),
            b64_std: with_prefix(&BASE64.encode(bytes)),
            hex: with_prefix(&hex(bytes)),
            dec: with_prefix(&BigUint::from_bytes_be(bytes).to_string()),
            id,
        }
    }
}
