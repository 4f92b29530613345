//! Strings in Unicode Normalization Form C.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A string in Unicode Normalization Form C (NFC), as Terraform represents every string and map key.
///
/// Every constructor normalizes, so two strings that a reader cannot distinguish are equal. Cloning is cheap, because
/// clones share the allocation.
///
/// ```
/// use ferroform_value::NfcString;
///
/// let composed = NfcString::new("\u{e9}");
/// let decomposed = NfcString::new("e\u{301}");
/// assert_eq!(composed, decomposed);
/// assert_eq!(decomposed.as_str(), "\u{e9}");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NfcString(Arc<str>);

impl NfcString {
    /// Normalizes a string.
    pub fn new(string: impl AsRef<str>) -> NfcString {
        let string = string.as_ref();
        NfcString(match normalize(string) {
            Some(normalized) => normalized.into(),
            None => string.into(),
        })
    }

    /// Returns the string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the normalized string, or `None` if the string is in normal form already.
fn normalize(string: &str) -> Option<String> {
    let is_normalized = string.is_ascii() || is_nfc_quick(string.chars()) == IsNormalized::Yes;
    (!is_normalized).then(|| string.nfc().collect())
}

impl Default for NfcString {
    fn default() -> NfcString {
        NfcString("".into())
    }
}

impl Deref for NfcString {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for NfcString {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// A map with keys of this type can be searched with a string slice. The slice must be in NFC to be found.
impl Borrow<str> for NfcString {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for NfcString {
    fn from(string: &str) -> NfcString {
        NfcString::new(string)
    }
}

impl From<&String> for NfcString {
    fn from(string: &String) -> NfcString {
        NfcString::new(string)
    }
}

impl From<String> for NfcString {
    fn from(string: String) -> NfcString {
        NfcString(normalize(&string).unwrap_or(string).into())
    }
}

impl From<Cow<'_, str>> for NfcString {
    fn from(string: Cow<'_, str>) -> NfcString {
        NfcString::new(string)
    }
}

impl From<Arc<str>> for NfcString {
    fn from(string: Arc<str>) -> NfcString {
        NfcString(normalize(&string).map_or(string, Into::into))
    }
}

impl From<&Arc<str>> for NfcString {
    fn from(string: &Arc<str>) -> NfcString {
        NfcString::from(string.clone())
    }
}

impl From<NfcString> for Arc<str> {
    fn from(string: NfcString) -> Arc<str> {
        string.0
    }
}

impl From<NfcString> for String {
    fn from(string: NfcString) -> String {
        string.as_str().to_owned()
    }
}

impl PartialEq<str> for NfcString {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for NfcString {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl PartialEq<String> for NfcString {
    fn eq(&self, other: &String) -> bool {
        *self.0 == **other
    }
}

impl fmt::Display for NfcString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.0, f)
    }
}

impl fmt::Debug for NfcString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constructor_normalizes() {
        let decomposed = "e\u{301}";
        let strings = [
            NfcString::new(decomposed),
            decomposed.into(),
            (&decomposed.to_owned()).into(),
            decomposed.to_owned().into(),
            Cow::from(decomposed).into(),
            Arc::<str>::from(decomposed).into(),
        ];
        assert!(strings.iter().all(|it| it == "\u{e9}"), "{strings:?}");
    }

    #[test]
    fn normalized_string_shares_its_allocation() {
        let string: Arc<str> = "\u{e9}".into();
        assert!(Arc::ptr_eq(&string, &NfcString::from(string.clone()).into()));
    }
}
