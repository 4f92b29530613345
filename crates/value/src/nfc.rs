//! Unicode normal form C, which every string of the language is in.

use std::sync::Arc;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The text in Unicode normal form C, as Terraform keeps strings, map keys and attribute names.
pub fn normalized(text: &str) -> Arc<str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        text.into()
    } else {
        text.nfc().collect::<String>().into()
    }
}
