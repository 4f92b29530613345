//! The subject and the subject alternative names (SANs) of a certificate or CSR.

use std::net::IpAddr;

use ferroform::validators::{each, length_at_least, size_at_most};
use ferroform::{Context as _, Diagnostic, Model, Result, path};
use url::Host;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{
    Any, Ia5String, Ia5StringRef, ObjectIdentifier, PrintableStringRef, Utf8StringRef,
};
use x509_cert::der::{self};
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::{Extension, ToExtension as _};
use x509_cert::name::{Name, RdnSequence, RelativeDistinguishedName};

/// The subject and the subject alternative names.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Names {
    /// The DNS names in the subject alternative name (SAN) extension.
    #[attr(requires_replace, validate = each(validate_ascii))]
    pub(crate) dns_names: Option<Vec<String>>,
    /// The IP addresses in the subject alternative name (SAN) extension.
    #[attr(requires_replace, validate = each(length_at_least(1)), validate = each(validate_ip_address))]
    pub(crate) ip_addresses: Option<Vec<String>>,
    /// The URIs in the subject alternative name (SAN) extension.
    #[attr(requires_replace, validate = each(length_at_least(1)), validate = each(validate_uri))]
    pub(crate) uris: Option<Vec<String>>,
    /// The distinguished name of the subject. All attributes are optional.
    #[attr(block, requires_replace, validate = size_at_most(1))]
    pub(crate) subject: Vec<Subject>,
}

/// A distinguished name.
#[derive(Model, Clone, Debug, Default, PartialEq)]
pub(crate) struct Subject {
    /// The organization (`O`).
    #[attr(requires_replace)]
    organization: Option<String>,
    /// The common name (`CN`).
    #[attr(requires_replace)]
    common_name: Option<String>,
    /// The organizational unit (`OU`).
    #[attr(requires_replace)]
    organizational_unit: Option<String>,
    /// The lines of the street address (`STREET`).
    #[attr(requires_replace)]
    street_address: Option<Vec<String>>,
    /// The locality (`L`).
    #[attr(requires_replace)]
    locality: Option<String>,
    /// The state or province (`ST`).
    #[attr(requires_replace)]
    province: Option<String>,
    /// The country (`C`).
    #[attr(requires_replace)]
    country: Option<String>,
    /// The postal code (`POSTALCODE`).
    #[attr(requires_replace)]
    postal_code: Option<String>,
    /// The serial number of the subject (`SERIALNUMBER`).
    #[attr(requires_replace)]
    serial_number: Option<String>,
    /// The email address (object identifier `1.2.840.113549.1.9.1`).
    #[attr(requires_replace, validate = validate_ascii)]
    email_address: Option<String>,
}

fn validate_ip_address(text: &str) -> Result<(), Diagnostic> {
    let parsed: Result<IpAddr, _> = text.parse();
    parsed.map(drop).map_err(|_| {
        Diagnostic::error("Invalid IP address").detail(format!("{text:?} is not a valid IP address."))
    })
}

fn validate_uri(text: &str) -> Result<(), Diagnostic> {
    encode_uri(text).map(drop)
}

fn validate_ascii(text: &str) -> Result<(), Diagnostic> {
    encode_ascii(text).map(drop)
}

/// Encodes a URI as in Go: with a lowercase scheme, and with percent-encoding of the characters that RFC 3986 excludes.
fn encode_uri(text: &str) -> Result<Ia5String, Diagnostic> {
    let invalid = |reason: &str| {
        Diagnostic::error("Invalid URI")
            .detail(format!("{text:?} is not a valid URI with a scheme: {reason}."))
    };
    let is_in_scheme = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.');
    let is_scheme =
        |it: &str| it.starts_with(|it: char| it.is_ascii_alphabetic()) && it.chars().all(is_in_scheme);
    let parts = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme));
    let (scheme, rest) = parts.ok_or_else(|| invalid("it has no scheme"))?;
    if rest.contains(|it: char| it.is_ascii_control()) {
        return Err(invalid("it contains a control character"));
    }
    let is_escape = |it: &str| it.len() >= 2 && it.bytes().take(2).all(|it| it.is_ascii_hexdigit());
    if !rest.split('%').skip(1).all(is_escape) {
        return Err(invalid("two hexadecimal digits must follow each %"));
    }
    if let Some(authority) = rest.strip_prefix("//") {
        let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, it)| it);
        let (host, port) = host.rsplit_once(':').filter(|_| !host.ends_with(']')).unwrap_or((host, ""));
        if !port.bytes().all(|it| it.is_ascii_digit()) {
            return Err(invalid("the port is not a number"));
        }
        Host::parse_opaque(host).map_err(|error| invalid(&error.to_string()))?;
    }
    let mut encoded = scheme.to_ascii_lowercase() + ":";
    for byte in rest.bytes() {
        match byte {
            b'!'..=b'~' if !b"\"<>\\^`{|}".contains(&byte) => encoded.push(byte.into()),
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encode_ascii(&encoded)
}

impl Names {
    /// Returns the distinguished name, which is empty if there is no subject.
    pub(crate) fn name(&self) -> Result<Name> {
        let Some(subject) = self.subject.first() else { return Ok(Name::default()) };
        let mut name = RdnSequence::default();
        let not_empty = |it: &Option<String>| it.clone().filter(|it| !it.is_empty());
        // This is the order of the original.
        for (oid, values) in [
            (COUNTRY, subject.country.iter().cloned().collect()),
            (PROVINCE, subject.province.iter().cloned().collect()),
            (LOCALITY, subject.locality.iter().cloned().collect()),
            (STREET_ADDRESS, subject.street_address.clone().unwrap_or_default()),
            (POSTAL_CODE, subject.postal_code.iter().cloned().collect()),
            (ORGANIZATION, subject.organization.iter().cloned().collect()),
            (ORGANIZATIONAL_UNIT, subject.organizational_unit.iter().cloned().collect()),
            (COMMON_NAME, not_empty(&subject.common_name).into_iter().collect()),
            (SERIAL_NUMBER, not_empty(&subject.serial_number).into_iter().collect()),
        ] {
            push_attribute(&mut name, oid, values.iter().map(|it| encode_directory_string(it)))?;
        }
        let email = subject.email_address.iter();
        push_attribute(&mut name, EMAIL_ADDRESS, email.map(|it| Any::encode_from(&Ia5StringRef::new(it)?)))
            .at(path!(subject[0].email_address))?;
        Ok(Name::hazmat_from_rdn_sequence(name))
    }

    pub(crate) fn alternative_names(&self) -> Result<Vec<GeneralName>> {
        let mut names = Vec::new();
        for (index, dns_name) in self.dns_names.iter().flatten().enumerate() {
            names.push(GeneralName::DnsName(encode_ascii(dns_name).at(path!(dns_names[index]))?));
        }
        for (index, address) in self.ip_addresses.iter().flatten().enumerate() {
            let address = address.parse::<IpAddr>().at(path!(ip_addresses[index]))?;
            names.push(address.to_canonical().into());
        }
        for (index, uri) in self.uris.iter().flatten().enumerate() {
            names.push(GeneralName::UniformResourceIdentifier(encode_uri(uri).at(path!(uris[index]))?));
        }
        Ok(names)
    }

    /// Replaces the empty strings and lists with null that versions before 4 stored for omitted attributes.
    pub(crate) fn without_empty_values(mut self) -> Names {
        for subject in &mut self.subject {
            subject.street_address = subject.street_address.take().filter(|it| !it.is_empty());
            for text in [
                &mut subject.organization,
                &mut subject.common_name,
                &mut subject.organizational_unit,
                &mut subject.locality,
                &mut subject.province,
                &mut subject.country,
                &mut subject.postal_code,
                &mut subject.serial_number,
            ] {
                *text = text.take().filter(|it| !it.is_empty());
            }
        }
        self
    }
}

fn encode_ascii(text: &str) -> Result<Ia5String, Diagnostic> {
    Ia5String::new(text).map_err(|_| {
        Diagnostic::error("Invalid Attribute Value")
            .detail(format!("{text:?} contains characters that are not ASCII."))
    })
}

/// Adds the values of an attribute as one set.
fn push_attribute(
    name: &mut RdnSequence,
    oid: ObjectIdentifier,
    values: impl Iterator<Item = der::Result<Any>>,
) -> Result<()> {
    let mut set = RelativeDistinguishedName::default();
    for value in values {
        set.insert(AttributeTypeAndValue { oid, value: value? })?;
    }
    if !set.is_empty() {
        name.push(set);
    }
    Ok(())
}

/// Encodes a string as the original does: as a `PrintableString` if possible, or else as a `UTF8String`.
pub(crate) fn encode_directory_string(text: &str) -> der::Result<Any> {
    match PrintableStringRef::new(text) {
        Ok(printable) => Any::encode_from(&printable),
        Err(_) => Any::encode_from(&Utf8StringRef::new(text)?),
    }
}

/// Returns the subject alternative name extension. It is critical if the subject is empty.
pub(crate) fn alternative_names_extension(
    names: Vec<GeneralName>,
    subject: &Name,
) -> der::Result<Option<Extension>> {
    match names.is_empty() {
        true => Ok(None),
        false => SubjectAltName(names).to_extension(subject, &[]).map(Some),
    }
}

pub(crate) const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
pub(crate) const SERIAL_NUMBER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.5");
pub(crate) const COUNTRY: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.6");
pub(crate) const LOCALITY: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.7");
pub(crate) const PROVINCE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.8");
pub(crate) const STREET_ADDRESS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.9");
pub(crate) const ORGANIZATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.10");
pub(crate) const ORGANIZATIONAL_UNIT: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.11");
pub(crate) const POSTAL_CODE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.17");
const EMAIL_ADDRESS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.1");
