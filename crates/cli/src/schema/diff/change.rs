//! Changes and their effects.

use serde::Serialize;

/// The effect of a change, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// A valid configuration becomes invalid, or its meaning changes.
    Breaking,
    /// Stored states or identities need an upgrade.
    StateUpgrade,
    /// Only new configurations use it.
    Additive,
    /// It has no effect on configurations and states.
    Informational,
}

/// A change of one object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Change {
    /// The kind and the type, such as `resource local_file`.
    pub(crate) object: String,
    /// The attribute or block, such as `disk.size`; empty for the object itself.
    pub(crate) path: String,
    pub(crate) verdict: Verdict,
    /// The state upgrade is still missing, because the schema version has not increased.
    pub(crate) is_upgrade_missing: bool,
    pub(crate) message: String,
}

impl Change {
    /// Returns true if practitioners cannot upgrade to the new version without changes.
    pub(crate) fn is_failure(&self) -> bool {
        self.verdict == Verdict::Breaking || self.is_upgrade_missing
    }
}

/// The changes of one object, while they are collected.
pub(super) struct Changes {
    object: String,
    pub(super) found: Vec<Change>,
}

impl Changes {
    pub(super) fn new(object: String) -> Changes {
        Changes { object, found: Vec::new() }
    }

    fn add(&mut self, verdict: Verdict, path: &str, message: impl Into<String>) {
        self.found.push(Change {
            object: self.object.clone(),
            path: path.to_owned(),
            verdict,
            is_upgrade_missing: false,
            message: message.into(),
        });
    }

    pub(super) fn breaking(&mut self, path: &str, message: impl Into<String>) {
        self.add(Verdict::Breaking, path, message);
    }

    pub(super) fn additive(&mut self, path: &str, message: impl Into<String>) {
        self.add(Verdict::Additive, path, message);
    }

    pub(super) fn informational(&mut self, path: &str, message: impl Into<String>) {
        self.add(Verdict::Informational, path, message);
    }

    /// Adds a change that needs an upgrade from one version to another. `upgrade` is the name of the version and of its
    /// upgrade: `("schema version", "a state upgrade")`.
    pub(super) fn upgrade(
        &mut self,
        path: &str,
        change: &str,
        old_version: i64,
        new_version: i64,
        (version, upgrade): (&str, &str),
    ) {
        let is_upgrade_missing = new_version <= old_version;
        let advice = if is_upgrade_missing {
            format!("increase the {version} (currently {old_version}) and add {upgrade}")
        } else {
            format!("{upgrade} from version {old_version} to {new_version} must convert it")
        };
        self.add(Verdict::StateUpgrade, path, format!("{change}: {advice}"));
        if let Some(last) = self.found.last_mut() {
            last.is_upgrade_missing = is_upgrade_missing;
        }
    }
}

/// Returns the path of an attribute or block.
pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
