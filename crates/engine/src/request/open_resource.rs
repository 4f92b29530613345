//! Open ephemeral resources. Each one is closed with its newest private data. Errors about it do not contain its
//! secrets.

use std::collections::BTreeSet;

use ferroform_value::{NfcString, Value, json};

use crate::redaction::{ObjectStrings, SensitiveValues};

/// An ephemeral resource that is open.
///
/// Terraform 1.11 keeps the private data of `open` and does not replace them with those of `renew`. So the engine finds
/// the resource by any private data that it has had, and gives the newest to the provider.
pub(crate) struct OpenResource {
    type_name: String,
    /// Its values, which contain the timeouts of its later operations.
    values: Value,
    /// All private data that the resource has had; the newest is the last.
    private: Vec<Vec<u8>>,
    /// The strings in its values that are not sensitive. Private data can repeat them.
    visible: BTreeSet<NfcString>,
    sensitive: SensitiveValues,
}

impl OpenResource {
    /// `values` is the result of `open`, or the configuration if `open` failed. `sensitive` contains the sensitive
    /// values of the request.
    pub(crate) fn new(
        type_name: &str,
        values: &Value,
        private: Vec<u8>,
        sensitive: &SensitiveValues,
    ) -> OpenResource {
        let mut visible = strings(values);
        for secret in sensitive.strings().sensitive_strings() {
            visible.remove(secret);
        }
        let (type_name, sensitive) = (type_name.to_owned(), sensitive.clone());
        let (values, private_data) = (values.clone(), Vec::new());
        let mut open = OpenResource { type_name, values, private: private_data, visible, sensitive };
        open.add(private);
        open
    }

    pub(crate) fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The result of `open`, or the configuration if `open` failed.
    pub(crate) fn values(&self) -> &Value {
        &self.values
    }

    /// Adds the private data of `open` or of a renewal.
    pub(crate) fn add(&mut self, private: Vec<u8>) {
        let value = json::implied_type(&private).and_then(|ty| json::decode(&private, &ty));
        let value = value.unwrap_or_else(|_| String::from_utf8_lossy(&private).as_ref().into());
        let secrets = strings(&value).difference(&self.visible).cloned().collect::<Vec<_>>();
        self.sensitive.add_strings(&ObjectStrings::sensitive(secrets));
        self.private.push(private);
    }

    /// True if it is of this type and has had this private data.
    pub(crate) fn is(&self, type_name: &str, private: &[u8]) -> bool {
        self.type_name == type_name && self.private.iter().any(|it| it == private)
    }

    /// Returns the newest private data, and adds the secrets of the resource to `sensitive`.
    pub(crate) fn private_for_request(&self, sensitive: &mut SensitiveValues) -> Vec<u8> {
        sensitive.add_strings(self.sensitive.strings());
        self.newest()
    }

    pub(crate) fn newest(&self) -> Vec<u8> {
        self.private.last().cloned().unwrap_or_default()
    }

    /// The sensitive values of its configuration and its results, and the strings in its private data, except those
    /// that its other values contain.
    pub(crate) fn sensitive(&self) -> &SensitiveValues {
        &self.sensitive
    }
}

/// The strings in a value that are not empty.
fn strings(value: &Value) -> BTreeSet<NfcString> {
    let mut all = BTreeSet::new();
    value.walk(&mut |_, it| {
        if let Value::String(it) = it
            && !it.is_empty()
        {
            all.insert(it.clone());
        }
        true
    });
    all
}
