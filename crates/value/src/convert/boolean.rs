//! Bools from strings.

use crate::error::Error;

/// The bool that a string stands for.
pub(crate) fn parse_bool(text: &str) -> Result<bool, Error> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let meant = ["true", "false"].into_iter().find(|it| it.eq_ignore_ascii_case(text));
            let required = Error::constant("a bool is required");
            Err(match meant {
                Some(it) => Error::new(format!("a bool is required; write {it:?} in lower case"))
                    .with_redacted(required.message()),
                None => required,
            })
        }
    }
}
