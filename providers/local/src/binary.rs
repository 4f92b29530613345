//! Binary data in base64.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{PAD, STANDARD};
use ferroform::value::{Error, Type, Value};
use ferroform::{Attr, view::View};

/// Accepts unused bits of the last character that are not zero, as the original does.
const LENIENT: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, PAD.with_decode_allow_trailing_bits(true));

/// Binary data in base64 with padding. Line breaks are ignored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Base64(pub(crate) Vec<u8>);

impl Attr for Base64 {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let text = String::from_value(value)?.replace(['\r', '\n'], "");
        let bytes = LENIENT.decode(text);
        bytes.map(Base64).map_err(|error| Error::new(format!("base64 is required, but this is not: {error}")))
    }

    fn to_value(&self) -> Value {
        STANDARD.encode(&self.0).into()
    }
}
