//! The attributes that the certificate resources share, and the issuance and renewal of certificates.

use std::time::{Duration, SystemTime};

use ferroform::validators::between;
use ferroform::{
    Change, Context as _, Diagnostic, Known, Model, PlanCx, Planned, Proposed, Resource, Result, Unknown,
    path,
};
use jiff::Timestamp;
use sha1::{Digest as _, Sha1};
use x509_cert::SubjectPublicKeyInfo;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder as _, CertificateBuilder};
use x509_cert::certificate::TbsCertificate;
use x509_cert::der::asn1::OctetString;
use x509_cert::der::{DateTime, Encode as _};
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, BasicConstraints, SubjectKeyIdentifier};
use x509_cert::ext::{Extension, ToExtension as _};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::SubjectPublicKeyInfoRef;
use x509_cert::time::{Time, Validity};

use crate::key::{PrivateKey, Signature};
use crate::pem;
use crate::subject::alternative_names_extension;
use crate::usage::{self, Usage};

/// The attributes that the certificate resources share.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct CertificateAttributes {
    /// The number of hours for which the certificate is valid.
    #[attr(requires_replace)]
    validity_period_hours: u64,
    /// The key usages and extended key usages of the certificate.
    #[attr(requires_replace)]
    allowed_uses: Vec<Usage>,
    /// The number of hours before expiry at which a plan replaces the certificate. The old certificate remains valid until
    /// it expires.
    #[attr(default = 0)]
    early_renewal_hours: u64,
    /// Whether this is a CA certificate.
    #[attr(requires_replace, default = false)]
    is_ca_certificate: bool,
    /// The maximum number of intermediate certificates below this CA certificate in a chain. `-1` means no limit. Ignored
    /// if `is_ca_certificate` is `false`.
    #[attr(optional, computed, use_state_for_unknown, requires_replace, validate = between(-1, 255))]
    max_path_length: Option<i64>,
    /// Whether to include a [subject key
    /// identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.2). CA certificates always include it.
    #[attr(requires_replace, default = false)]
    set_subject_key_id: bool,
    /// The certificate in [PEM](https://datatracker.ietf.org/doc/html/rfc7468) format, with a trailing newline.
    #[attr(computed, use_state_for_unknown)]
    pub(crate) cert_pem: String,
    /// Whether the certificate has expired or expires within `early_renewal_hours`.
    #[attr(computed)]
    ready_for_renewal: bool,
    /// The start of the validity period, in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339) format.
    #[attr(computed, use_state_for_unknown)]
    validity_start_time: String,
    /// The end of the validity period, in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339) format.
    #[attr(computed, use_state_for_unknown)]
    validity_end_time: String,
    /// The serial number of the certificate.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl CertificateAttributes {
    /// Returns the attributes with the current value of `ready_for_renewal`.
    pub(crate) fn refresh(self, now: SystemTime) -> Result<CertificateAttributes> {
        let is_ready = is_ready_for_renewal(&self.validity_end_time, self.early_renewal_hours, now)?;
        Ok(CertificateAttributes { ready_for_renewal: is_ready || self.ready_for_renewal, ..self })
    }
}

/// Plans the replacement of a certificate that is ready for renewal.
pub(crate) fn plan_renewal<R: Resource>(
    cx: &PlanCx<R>,
    change: Change<CertificateAttributes>,
) -> Result<Proposed<CertificateAttributes>> {
    let plan = change.plan;
    let (hours, early) = (plan.validity_period_hours, plan.early_renewal_hours);
    if let Known(end) = &plan.validity_end_time {
        // An unknown number of hours can be large enough for a renewal.
        let is_ready = match early {
            Known(early) => is_ready_for_renewal(end, early, cx.clock().system_time())?,
            Unknown => true,
        };
        if is_ready {
            cx.requires_replace(path!(ready_for_renewal));
            return Ok(Proposed::<CertificateAttributes> { ready_for_renewal: Unknown, ..plan });
        }
    }
    let ready_for_renewal = match (hours, early) {
        (Known(hours), Known(early)) => Known(early >= hours),
        _ => Unknown,
    };
    Ok(Proposed::<CertificateAttributes> { ready_for_renewal, ..plan })
}

/// Returns `true` if the certificate has expired or expires within `early_renewal_hours`.
fn is_ready_for_renewal(end: &str, early_renewal_hours: u64, now: SystemTime) -> Result<bool> {
    let end: Timestamp = end.parse().context(format!("Failed to parse data from string: {end}"))?;
    let remaining = end.duration_since(now.try_into()?).as_secs();
    Ok(remaining <= i64::try_from(early_renewal_hours.saturating_mul(3600)).unwrap_or(i64::MAX))
}

/// The subject that a certificate is issued to.
pub(crate) struct CertificateSubject {
    pub(crate) subject: Name,
    pub(crate) alternative_names: Vec<GeneralName>,
    pub(crate) public_key: SubjectPublicKeyInfo,
}

/// The issuer of a certificate.
pub(crate) enum Issuer<'a> {
    /// The subject itself, in a self-signed certificate.
    Subject { key: &'a PrivateKey, set_authority_key_id: bool },
    /// A certificate authority.
    Authority { key: &'a PrivateKey, name: Name, key_id: Option<OctetString> },
}

/// The profile that provides the contents of a certificate to its builder.
struct Contents {
    issuer: Name,
    subject: Name,
    extensions: Vec<Extension>,
}

impl BuilderProfile for Contents {
    fn get_issuer(&self, _: &Name) -> Name {
        self.issuer.clone()
    }

    fn get_subject(&self) -> Name {
        self.subject.clone()
    }

    fn build_extensions(
        &self,
        _: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        Ok(self.extensions.clone())
    }
}

/// Issues a certificate.
pub(crate) fn issue(
    attributes: Planned<CertificateAttributes>,
    certificate_subject: CertificateSubject,
    issuer: Issuer<'_>,
    now: SystemTime,
) -> Result<CertificateAttributesComputed> {
    let CertificateSubject { subject, alternative_names, public_key } = certificate_subject;
    if attributes.is_ca_certificate && subject.is_empty() {
        let detail = "A CA certificate requires at least one attribute in its \"subject\" block.";
        return Err(Diagnostic::error("Invalid Certificate Subject")
            .detail(detail)
            .at(path!(subject))
            .into());
    }
    let max_path_length = match attributes.max_path_length {
        Known(length) => length,
        Unknown => None,
    };
    let key_id = match attributes.is_ca_certificate || attributes.set_subject_key_id {
        true => Some(subject_key_id(&public_key).context("Failed to generate subject key identifier")?),
        false => None,
    };
    let (key, issuer, authority_key_id) = match issuer {
        Issuer::Subject { key, set_authority_key_id: false } => (key, subject.clone(), None),
        Issuer::Subject { key, set_authority_key_id: true } => {
            let error = Diagnostic::error("Invalid Certificate Authority");
            let detail = "The certificate has no subject key identifier. Set \"set_subject_key_id\" to true.";
            let error = error.detail(detail).at(path!(set_authority_key_id));
            (key, subject.clone(), Some(key_id.clone().ok_or(error)?))
        }
        // If the names are equal, the identifier would refer to a different certificate.
        Issuer::Authority { key, name, key_id } => (key, name.clone(), key_id.filter(|_| name != subject)),
    };
    let certificate = || -> Result<_> {
        let mut extensions = Vec::new();
        // This is the order of the original.
        let (key_usage, extended_key_usage) = usage::extensions(&attributes.allowed_uses);
        if !key_usage.0.is_empty() {
            extensions.push(key_usage.to_extension(&subject, &[])?);
        }
        if !extended_key_usage.0.is_empty() {
            extensions.push((false, &extended_key_usage).to_extension(&subject, &[])?);
        }
        let path_len_constraint =
            max_path_length.filter(|_| attributes.is_ca_certificate).and_then(|it| u8::try_from(it).ok());
        let constraints = BasicConstraints { ca: attributes.is_ca_certificate, path_len_constraint };
        extensions.push((true, &constraints).to_extension(&subject, &[])?);
        if let Some(key_id) = key_id {
            extensions.push(SubjectKeyIdentifier(key_id).to_extension(&subject, &[])?);
        }
        if let Some(key_id) = authority_key_id {
            let id = AuthorityKeyIdentifier { key_identifier: Some(key_id), ..Default::default() };
            extensions.push(id.to_extension(&subject, &[])?);
        }
        extensions.extend(alternative_names_extension(alternative_names, &subject)?);

        let mut serial = [0; 16];
        getrandom::fill(&mut serial)?;
        let start = DateTime::try_from(now)?;
        let validity = attributes.validity_period_hours.checked_mul(3600).map(Duration::from_secs);
        let end = validity.and_then(|it| start.unix_duration().checked_add(it));
        let end = end.and_then(|it| DateTime::from_unix_duration(it).ok());
        let end = end.context("the validity period must end in the year 9999 or earlier");
        let end = end.at(path!(validity_period_hours))?;
        let validity = Validity::new(Time::from(start), Time::from(end));
        let contents = Contents { issuer, subject, extensions };
        let builder = CertificateBuilder::new(contents, SerialNumber::new(&serial)?, validity, public_key)?;
        let certificate = builder.build::<_, Signature>(&key.signing_key()?)?.to_der()?;
        Ok((certificate, u128::from_be_bytes(serial), start, end))
    };
    let (certificate, serial, start, end) = certificate().context("Failed to create certificate")?;
    Ok(CertificateAttributesComputed {
        max_path_length,
        cert_pem: pem::encode(pem::CERTIFICATE, &certificate),
        ready_for_renewal: attributes.early_renewal_hours >= attributes.validity_period_hours,
        validity_start_time: start.to_string(),
        validity_end_time: end.to_string(),
        id: serial.to_string(),
    })
}

/// Computes the subject key identifier: the SHA1 checksum of the public key. As in the original, an Ed25519 key is encoded
/// first.
fn subject_key_id(key: &SubjectPublicKeyInfo) -> Result<OctetString> {
    let bytes = key.subject_public_key.raw_bytes();
    let encoded = match key.algorithm.oid == ed25519_dalek::pkcs8::ALGORITHM_OID {
        true => OctetString::new(bytes)?.to_der()?,
        false => bytes.to_vec(),
    };
    Ok(OctetString::new(Sha1::digest(encoded).to_vec())?)
}
