//! UUIDs, which are equal in all notations.

use uuid::Uuid;

use super::scalars::{print, string_types};

string_types! {
    Uuid, "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8", "00000000-0000-0000-0000-000000000000", parse, print;
}

/// The error of the library quotes the string, which the error message contains already.
fn parse(string: &str) -> Result<Uuid, &'static str> {
    Uuid::parse_str(string).map_err(|_| "a UUID consists of 32 hexadecimal digits")
}
