//! Conversion of strings to bools.

use crate::error::Error;

/// Converts a string to a bool.
pub(crate) fn parse_bool(text: &str) -> Result<bool, Error> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let meant = ["true", "false"].into_iter().find(|it| it.eq_ignore_ascii_case(text));
            let error = Error::required("a bool");
            Err(match meant {
                Some(it) => error.with_hint(format!("to convert from string, use lowercase {it:?}")),
                None => error,
            })
        }
    }
}
