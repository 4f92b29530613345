//! Open ephemeral resources. Each one is closed with its newest private data. Errors about it do not contain its
//! secrets.

use std::collections::BTreeSet;

use ferroform_value::{NfcString, Type, Value, json};

use crate::random::{UUID_LENGTH, uuid};
use crate::redaction::{ObjectStrings, SensitiveValues};

/// An ephemeral resource that is open.
///
/// Terraform gets the private data of the provider after an ID, because two resources can have equal private data. It is
/// also the ID by which the engine finds the newest private data: Terraform 1.11 keeps those of `open` and does not
/// replace them with those of `renew`.
pub(crate) struct OpenResource {
    id: String,
    type_name: String,
    /// Its values, which contain the timeouts of its later operations.
    values: Value,
    /// The newest private data.
    private: Vec<u8>,
    private_type: Option<Type>,
    /// The strings, numbers and map keys in its values that are not sensitive. Private data can repeat them.
    visible: BTreeSet<NfcString>,
    sensitive: SensitiveValues,
}

impl OpenResource {
    /// `values` is the result of `open`, or the configuration if `open` failed. `sensitive` contains the sensitive
    /// values of the request; the secrets in the private data are added.
    pub(crate) fn new(
        type_name: &str,
        values: &Value,
        private: Vec<u8>,
        private_type: Option<Type>,
        sensitive: &mut SensitiveValues,
    ) -> OpenResource {
        let mut visible = strings(values);
        for secret in sensitive.strings().sensitive_strings() {
            visible.remove(secret);
        }
        let mut open = OpenResource {
            id: uuid(),
            type_name: type_name.to_owned(),
            values: values.clone(),
            private: Vec::new(),
            private_type,
            visible,
            sensitive: sensitive.clone(),
        };
        open.add(private);
        sensitive.add_strings(open.sensitive.strings());
        open
    }

    /// A resource that this process has not opened. `sent` contains the private data from Terraform.
    pub(crate) fn of_private_data(
        type_name: &str,
        sent: &[u8],
        private_type: Option<Type>,
        sensitive: &mut SensitiveValues,
    ) -> OpenResource {
        OpenResource::new(type_name, &Value::Null, without_id(sent), private_type, sensitive)
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
        let ty = self.private_type.clone().map_or_else(|| json::implied_type(&private), Ok);
        let value = ty.and_then(|ty| json::decode(&private, &ty));
        let value = value.unwrap_or_else(|_| String::from_utf8_lossy(&private).as_ref().into());
        let secrets = strings(&value).difference(&self.visible).cloned().collect::<Vec<_>>();
        self.sensitive.add_strings(&ObjectStrings::sensitive(secrets));
        self.private = private;
    }

    /// The private data for Terraform.
    pub(crate) fn sent(&self) -> Vec<u8> {
        with_id_of(self.id.as_bytes(), &self.private)
    }

    /// True if these private data from Terraform are those of this resource.
    pub(crate) fn is(&self, type_name: &str, sent: &[u8]) -> bool {
        self.type_name == type_name && sent.starts_with(self.id.as_bytes())
    }

    /// Returns the newest private data, and adds the secrets of the resource to `sensitive`.
    pub(crate) fn private_for_request(&self, sensitive: &mut SensitiveValues) -> Vec<u8> {
        sensitive.add_strings(self.sensitive.strings());
        self.newest()
    }

    pub(crate) fn newest(&self) -> Vec<u8> {
        self.private.clone()
    }

    /// The sensitive values of its configuration and its results, and the strings, numbers and map keys in its private data, except those
    /// that its other values contain.
    pub(crate) fn sensitive(&self) -> &SensitiveValues {
        &self.sensitive
    }
}

/// The private data for Terraform of the resource to which `sent` belongs.
pub(crate) fn with_id_of(sent: &[u8], private: &[u8]) -> Vec<u8> {
    [sent.get(..UUID_LENGTH).unwrap_or_default(), private].concat()
}

/// The private data of the provider in those from Terraform.
fn without_id(sent: &[u8]) -> Vec<u8> {
    sent.get(UUID_LENGTH..).unwrap_or_default().to_vec()
}

/// The strings, numbers and map keys in a value.
fn strings(value: &Value) -> BTreeSet<NfcString> {
    let mut all = ObjectStrings::default();
    all.add_sensitive_value(value);
    all.sensitive_strings().iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagnostic, Diagnostics};

    #[test]
    fn private_data_of_unknown_resource_are_sensitive() {
        let (private, mut sensitive) = (br#"{"token":"t0ken"}"#, SensitiveValues::default());
        let sent = [&[b'0'; UUID_LENGTH][..], private].concat();
        assert_eq!(OpenResource::of_private_data("a", &sent, None, &mut sensitive).newest(), private);
        let mut errors = Diagnostics::from(Diagnostic::error("The lease of t0ken does not exist"));
        sensitive.mask(&mut errors);
        assert_eq!(errors.to_string(), "The lease of (sensitive value) does not exist");
    }

    #[test]
    fn resources_with_equal_private_data_are_told_apart() {
        let open = || {
            let mut sensitive = SensitiveValues::default();
            OpenResource::new("a", &Value::Null, b"null".to_vec(), None, &mut sensitive)
        };
        let (mut first, second) = (open(), open());
        let sent = first.sent();
        assert!(first.is("a", &sent) && !first.is("b", &sent) && !second.is("a", &sent));
        first.add(b"1".to_vec());
        assert!(first.is("a", &sent) && first.newest() == b"1");
        assert_eq!((without_id(&sent), with_id_of(&sent, b"1")), (b"null".to_vec(), first.sent()));
    }
}
