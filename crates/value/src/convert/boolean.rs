//! Bools from strings.

use crate::error::Error;

/// The bool that a string stands for.
pub(crate) fn parse_bool(text: &str) -> Result<bool, Error> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let meant = ["true", "false"].into_iter().find(|it| it.eq_ignore_ascii_case(text));
            Err(Error::new(match meant {
                Some(it) => format!("a bool is required; write {it:?} in lower case"),
                None => "a bool is required".into(),
            }))
        }
    }
}
