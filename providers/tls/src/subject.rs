//! The subject of a certificate or of a certificate request, and its alternative names.

use std::net::IpAddr;

use ferroform::validators::{each, length_at_least, size_at_most};
use ferroform::{Context as _, Diagnostic, Model, Result};
use url::Url;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{
    Any, Ia5String, Ia5StringRef, ObjectIdentifier, PrintableStringRef, Utf8StringRef,
};
use x509_cert::der::{self};
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::{Extension, ToExtension as _};
use x509_cert::name::{Name, RdnSequence, RelativeDistinguishedName};

/// The subject and its alternative names.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Names {
    /// The DNS names of the subject.
    #[attr(requires_replace)]
    pub(crate) dns_names: Option<Vec<String>>,
    /// The IP addresses of the subject.
    #[attr(requires_replace, validate = each(length_at_least(1)), validate = each(ip_address))]
    pub(crate) ip_addresses: Option<Vec<String>>,
    /// The URIs of the subject.
    #[attr(requires_replace, validate = each(length_at_least(1)), validate = each(uri))]
    pub(crate) uris: Option<Vec<String>>,
    /// The distinguished name of the subject. All attributes are optional.
    #[attr(block, requires_replace, validate = size_at_most(1))]
    pub(crate) subject: Vec<Subject>,
}

/// A distinguished name.
#[derive(Model, Clone, Debug, Default, PartialEq)]
pub(crate) struct Subject {
    /// The attribute `O`.
    #[attr(requires_replace)]
    organization: Option<String>,
    /// The attribute `CN`.
    #[attr(requires_replace)]
    common_name: Option<String>,
    /// The attribute `OU`.
    #[attr(requires_replace)]
    organizational_unit: Option<String>,
    /// The attribute `STREET`, one or more values.
    #[attr(requires_replace)]
    street_address: Option<Vec<String>>,
    /// The attribute `L`.
    #[attr(requires_replace)]
    locality: Option<String>,
    /// The attribute `ST`.
    #[attr(requires_replace)]
    province: Option<String>,
    /// The attribute `C`.
    #[attr(requires_replace)]
    country: Option<String>,
    /// The attribute `POSTALCODE`.
    #[attr(requires_replace)]
    postal_code: Option<String>,
    /// The attribute `SERIALNUMBER`.
    #[attr(requires_replace)]
    serial_number: Option<String>,
    /// The email address, with the object identifier `1.2.840.113549.1.9.1`.
    #[attr(requires_replace)]
    email_address: Option<String>,
}

fn ip_address(text: &str) -> Result<(), Diagnostic> {
    let parsed: Result<IpAddr, _> = text.parse();
    parsed
        .map(drop)
        .map_err(|_| Diagnostic::error("Invalid IP address").detail(format!("{text:?} is no IP address.")))
}

fn uri(text: &str) -> Result<(), Diagnostic> {
    let parsed = Url::parse(text);
    parsed.map(drop).map_err(|error| {
        Diagnostic::error("Invalid URI").detail(format!("{text:?} is no URI with a scheme: {error}."))
    })
}

impl Names {
    /// The distinguished name, which is empty without a subject.
    pub(crate) fn name(&self) -> Result<Name> {
        let Some(subject) = self.subject.first() else { return Ok(Name::default()) };
        let mut name = RdnSequence::default();
        let not_empty = |it: &Option<String>| it.clone().filter(|it| !it.is_empty());
        // The order of the original.
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
            push(&mut name, oid, values.iter().map(|it| directory_string(it)))?;
        }
        let email = subject.email_address.iter();
        push(&mut name, EMAIL_ADDRESS, email.map(|it| Any::encode_from(&Ia5StringRef::new(it)?)))?;
        Ok(Name::hazmat_from_rdn_sequence(name))
    }

    pub(crate) fn alternative_names(&self) -> Result<Vec<GeneralName>> {
        let mut names = Vec::new();
        for it in self.dns_names.iter().flatten() {
            names.push(GeneralName::DnsName(ascii(it)?));
        }
        for it in self.ip_addresses.iter().flatten() {
            names.push(it.parse::<IpAddr>()?.to_canonical().into());
        }
        for it in self.uris.iter().flatten() {
            names.push(GeneralName::UniformResourceIdentifier(ascii(it)?));
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

fn ascii(text: &str) -> Result<Ia5String> {
    Ia5String::new(text).ok().context(format!("{text:?} contains characters that are not ASCII"))
}

/// Adds values of one attribute as one set.
fn push(
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
pub(crate) fn directory_string(text: &str) -> der::Result<Any> {
    match PrintableStringRef::new(text) {
        Ok(printable) => Any::encode_from(&printable),
        Err(_) => Any::encode_from(&Utf8StringRef::new(text)?),
    }
}

/// Returns the extension with alternative names. It is critical in a certificate without a subject.
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
