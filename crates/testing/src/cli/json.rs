//! What the CLI answers in JSON.

use super::{Failed, Json, Result};

pub(super) fn parse(text: &str, what: &str) -> Result<Json> {
    serde_json::from_str(text).map_err(Failed::context(format!("{what} is not JSON")))
}

/// The text of a string; empty where it is none.
pub(super) fn text(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The elements of a list; none where it is null or missing.
pub(super) fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A path such as `["tags", 0, "name"]`, written as in the configuration: `tags[0].name`.
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
    fn paths_read_as_in_the_configuration() {
        assert_eq!(path(&serde_json::json!(["disks", 1, "size"])), "disks[1].size");
        assert_eq!(path(&serde_json::json!(["name"])), "name");
        assert_eq!(path(&Json::Null), "");
    }
}
