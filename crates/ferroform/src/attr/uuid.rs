//! UUIDs, which are equal in all notations.

use uuid::Uuid;

use super::scalars::{print, string_types};

string_types! {
    Uuid, "a UUID", "00000000-0000-0000-0000-000000000000", parse, print;
}

/// The error of the library would quote the string, which may be a secret.
fn parse(string: &str) -> Result<Uuid, &'static str> {
    Uuid::parse_str(string).map_err(|_| "a UUID consists of 32 hexadecimal digits")
}
