//! Names of objects.

use std::fmt;
use std::str::FromStr;

use ferroform::Attr;

use crate::sql::Sql;

/// The maximum length of a name in bytes. PostgreSQL truncates longer names.
const MAX_LENGTH: usize = 63;

/// A case-sensitive, unquoted identifier of 1 to 63 bytes.
#[derive(Attr, Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[attr(validate = validate_name, placeholder = "none")]
pub(crate) struct Name(String);

fn validate_name(name: &str) -> Result<(), &'static str> {
    match name.len() {
        1..=MAX_LENGTH if !name.contains('\0') => Ok(()),
        _ => Err("an identifier of 1 to 63 bytes is required"),
    }
}

impl Name {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name in `GRANT` and `REVOKE`, where `public` means all roles.
    pub(crate) fn grantee(&self) -> Sql {
        if self.as_str() == "public" { Sql::from("PUBLIC") } else { Sql::from(self) }
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Name {
        Name(name.to_owned())
    }
}

impl From<String> for Name {
    fn from(name: String) -> Name {
        Name(name)
    }
}

impl FromStr for Name {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Name, &'static str> {
        validate_name(name).map(|()| Name::from(name))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
