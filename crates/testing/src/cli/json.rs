//! Access to the JSON output of the CLI.

use super::{Error, Json, Result};

/// Parses a JSON document; `subject` names it in an error.
pub(super) fn parse(text: &str, subject: &str) -> Result<Json> {
    serde_json::from_str(text).map_err(Error::context(format!("{subject} is not JSON")))
}

/// Returns a string; an empty one for any other value.
pub(super) fn string(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the elements of an array; none for any other value.
pub(super) fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Prints a path such as `["tags", 0, "name"]` as HCL: `tags[0].name`.
pub(super) fn path(steps: &Json) -> String {
    let mut path = String::new();
    for step in list(steps) {
        match step {
            Json::String(name) if path.is_empty() => path.push_str(name),
            Json::String(name) => path.extend([".", name]),
            index => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_printed_as_hcl() {
        assert_eq!(path(&serde_json::json!(["disks", 1, "size"])), "disks[1].size");
        assert_eq!(path(&serde_json::json!(["name"])), "name");
        assert_eq!(path(&Json::Null), "");
    }
}
