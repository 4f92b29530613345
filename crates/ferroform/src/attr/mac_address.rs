//! MAC addresses.

use std::fmt;
use std::str::FromStr;

use ferroform_value::{Error, Type, Value};

use ferroform_engine::type_mismatch::mismatch;

use super::{Attr, MapKey};
use crate::model::view::View;

/// A MAC address of 6, 8 or 20 bytes. It is written with colons, hyphens or dots, in upper or lower case; all notations
/// of an address are equal.
///
/// ```
/// use ferroform::attr::MacAddress;
///
/// let address: MacAddress = "02-00-5E-10-00-01".parse()?;
/// assert_eq!(address, "0200.5e10.0001".parse()?);
/// assert_eq!(address.bytes(), [2, 0, 0x5e, 0x10, 0, 1]);
/// assert_eq!(address.to_string(), "02:00:5e:10:00:01");
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MacAddress {
    bytes: Vec<u8>,
}

impl MacAddress {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl FromStr for MacAddress {
    type Err = Error;

    fn from_str(string: &str) -> Result<MacAddress, Error> {
        let invalid = || {
            Error::invalid_value("a MAC address such as 02:00:5e:10:00:01", format_args!("{string:?}"))
                .with_summary("Invalid MAC Address String Value")
        };
        // With dots, each part has two bytes.
        let (between, digits) = match string.find([':', '-', '.']).map(|at| string.as_bytes()[at]) {
            Some(b'.') => ('.', 4),
            Some(b'-') => ('-', 2),
            _ => (':', 2),
        };
        let mut bytes = Vec::new();
        for part in string.split(between) {
            if part.len() != digits || !part.bytes().all(|it| it.is_ascii_hexdigit()) {
                return Err(invalid());
            }
            let number = u16::from_str_radix(part, 16).map_err(|_| invalid())?;
            bytes.extend(&number.to_be_bytes()[2 - digits / 2..]);
        }
        if matches!(bytes.len(), 6 | 8 | 20) { Ok(MacAddress { bytes }) } else { Err(invalid()) }
    }
}

/// Prints the address with colons, in lower case.
impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.bytes.iter().enumerate() {
            write!(f, "{}{byte:02x}", if i > 0 { ":" } else { "" })?;
        }
        Ok(())
    }
}

impl Attr for MacAddress {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        value.as_str().ok_or_else(|| mismatch("a MAC address", value))?.parse()
    }

    fn to_value(&self) -> Value {
        self.to_string().into()
    }

    fn placeholder() -> Value {
        "00:00:00:00:00:00".into()
    }
}

impl MapKey for MacAddress {}
