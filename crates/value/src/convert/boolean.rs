//! Conversion of strings to bools: `"true"`, `"false"`, `"1"` and `"0"`.

use crate::error::Error;

/// Converts a string to a bool. The error for a word in another case, such as `"True"`, has a hint.
pub(crate) fn parse_bool(string: &str) -> Result<bool, Error> {
    match string {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let lowercase = ["true", "false"].into_iter().find(|it| it.eq_ignore_ascii_case(string));
            let error = Error::required("a bool");
            Err(match lowercase {
                Some(word) => error.with_hint(format!("to convert from string, use lowercase {word:?}")),
                None => error,
            })
        }
    }
}
