//! The manifest, with which a registry knows the protocol versions of a release.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::error::{DistError, DistErrorKind, Result};

/// The protocol versions that registries know.
const VERSIONS: [&str; 2] = ["5.0", "6.0"];

/// The content of the manifest of a provider that serves these protocols.
pub(crate) fn content(protocols: &BTreeSet<u16>) -> String {
    let versions: Vec<String> = protocols.iter().map(|it| format!("{it}.0")).collect();
    let manifest = json!({ "version": 1, "metadata": { "protocol_versions": versions } });
    format!("{manifest:#}\n")
}

/// Checks a manifest as a registry does, and returns its protocol versions.
pub(crate) fn check(path: &Path) -> Result<Vec<String>> {
    let invalid = |message: String| DistError::new(DistErrorKind::Verification, message).at(path);
    let content = std::fs::read(path).map_err(DistError::file(path))?;
    let manifest: Value = serde_json::from_slice(&content).map_err(|it| invalid(it.to_string()))?;
    if manifest["version"] != 1 {
        return Err(invalid(format!("version: expected 1, found {}", manifest["version"])));
    }
    let found = &manifest["metadata"]["protocol_versions"];
    let versions: Option<Vec<String>> =
        found.as_array().and_then(|it| it.iter().map(|it| it.as_str().map(str::to_owned)).collect());
    let is_valid = |it: &Vec<String>| !it.is_empty() && it.iter().all(|it| VERSIONS.contains(&it.as_str()));
    versions.filter(is_valid).ok_or_else(|| {
        invalid(format!("metadata.protocol_versions: expected \"5.0\", \"6.0\" or both, found {found}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_contain_protocol_versions() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("manifest.json");
        for (protocols, expected) in [(vec![6], vec!["6.0"]), (vec![5, 6], vec!["5.0", "6.0"])] {
            std::fs::write(&file, content(&protocols.into_iter().collect())).unwrap();
            assert_eq!(check(&file).unwrap(), expected);
        }
    }

    #[test]
    fn invalid_manifests_are_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("manifest.json");
        let expected_versions = "metadata.protocol_versions: expected \"5.0\", \"6.0\" or both, found ";
        for (content, expected) in [
            (r#"{"version":2}"#, "version: expected 1, found 2".to_owned()),
            (r#"{"version":1}"#, format!("{expected_versions}null")),
            (r#"{"version":1,"metadata":{"protocol_versions":[]}}"#, format!("{expected_versions}[]")),
            (
                r#"{"version":1,"metadata":{"protocol_versions":["6"]}}"#,
                format!(r#"{expected_versions}["6"]"#),
            ),
            (r#"{"version":1,"metadata":{"protocol_versions":[6.0]}}"#, format!("{expected_versions}[6.0]")),
            ("", "EOF while parsing a value at line 1 column 0".to_owned()),
        ] {
            std::fs::write(&file, content).unwrap();
            assert_eq!(check(&file).unwrap_err().to_string(), format!("{}: {expected}", file.display()));
        }
    }
}
