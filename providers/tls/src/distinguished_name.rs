//! Formatting of distinguished names as in Go.

use ferroform::Result;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{
    BmpString, Ia5StringRef, ObjectIdentifier, PrintableStringRef, TeletexStringRef, Utf8StringRef,
};
use x509_cert::der::{Encode as _, Tag, Tagged as _};
use x509_cert::name::Name;

use crate::subject::{
    COMMON_NAME, COUNTRY, LOCALITY, ORGANIZATION, ORGANIZATIONAL_UNIT, POSTAL_CODE, PROVINCE, SERIAL_NUMBER,
    STREET_ADDRESS, encode_directory_string,
};

/// The well-known attributes, in the order in which they are formatted.
const WELL_KNOWN: [(ObjectIdentifier, &str); 9] = [
    (SERIAL_NUMBER, "SERIALNUMBER"),
    (COMMON_NAME, "CN"),
    (ORGANIZATIONAL_UNIT, "OU"),
    (ORGANIZATION, "O"),
    (POSTAL_CODE, "POSTALCODE"),
    (STREET_ADDRESS, "STREET"),
    (LOCALITY, "L"),
    (PROVINCE, "ST"),
    (COUNTRY, "C"),
];

/// Formats a name: first the well-known attributes in a fixed order, then all others in reverse order of the name.
pub(crate) fn format(name: &Name) -> Result<String> {
    let attributes: Vec<_> = name.iter().collect();
    let mut parts = Vec::new();
    for (oid, label) in WELL_KNOWN {
        let values = attributes.iter().filter(|it| it.oid == oid).map(|it| decode_string(it));
        let mut values = values.collect::<Result<Vec<_>>>()?;
        if oid == SERIAL_NUMBER || oid == COMMON_NAME {
            // Go uses only the last value, and only if it is not empty.
            values = values.pop().filter(|it| !it.is_empty()).into_iter().collect();
        }
        if !values.is_empty() {
            let values: Vec<_> = values.iter().map(|it| format!("{label}={}", escape(it))).collect();
            parts.push(values.join("+"));
        }
    }
    for attribute in attributes.iter().rev().filter(|it| WELL_KNOWN.iter().all(|(oid, _)| *oid != it.oid)) {
        // Go re-encodes the string with its default string type.
        let der = encode_directory_string(&decode_string(attribute)?)?.to_der()?;
        parts.push(format!("{}=#{}", attribute.oid, crate::hex(&der)));
    }
    Ok(parts.join(","))
}

fn decode_string(attribute: &AttributeTypeAndValue) -> Result<String> {
    let value = &attribute.value;
    Ok(match value.tag() {
        Tag::PrintableString => value.decode_as::<PrintableStringRef<'_>>()?.to_string(),
        Tag::Ia5String => value.decode_as::<Ia5StringRef<'_>>()?.to_string(),
        Tag::TeletexString => value.decode_as::<TeletexStringRef<'_>>()?.to_string(),
        Tag::BmpString => value.decode_as::<BmpString>()?.to_string(),
        _ => value.decode_as::<Utf8StringRef<'_>>()?.to_string(),
    })
}

fn escape(text: &str) -> String {
    let last = text.len().saturating_sub(1);
    let mut escaped = String::new();
    for (index, character) in text.char_indices() {
        let needs_escape = match character {
            ',' | '+' | '"' | '\\' | '<' | '>' | ';' => true,
            ' ' => index == 0 || index == last,
            '#' => index == 0,
            _ => false,
        };
        if needs_escape {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
