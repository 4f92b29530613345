//! The attributes that the resources for certificates have in common, and how a certificate is issued and renewed.

use std::time::{Duration, SystemTime};

use ferroform::validators::between;
use ferroform::{
    Context as _, Diagnostic, Known, Model, PlanCx, Planned, Proposed, Resource, Result, Unknown, path,
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

/// What a certificate allows, and how long it is valid.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Terms {
    /// The number of hours that the certificate is valid for.
    #[attr(requires_replace)]
    validity_period_hours: u64,
    /// The uses that the certificate allows for its key.
    #[attr(requires_replace)]
    allowed_uses: Vec<Usage>,
    /// The number of hours before the end of the validity from which on a plan replaces the certificate. The old
    /// certificate remains valid until its end.
    #[attr(default = 0)]
    early_renewal_hours: u64,
    /// Whether the certificate is that of a certificate authority (CA).
    #[attr(requires_replace, default = false)]
    is_ca_certificate: bool,
    /// The maximum number of intermediate certificates between this certificate of a CA and the last certificate of a
    /// chain. It is ignored if `is_ca_certificate` is `false`. `-1` is no limit.
    #[attr(optional, computed, use_state_for_unknown, requires_replace, validate = between(-1, 255))]
    max_path_length: Option<i64>,
    /// Whether the certificate contains a [subject key
    /// identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.2). That of a CA always does.
    #[attr(requires_replace, default = false)]
    set_subject_key_id: bool,
    /// The certificate in [PEM](https://datatracker.ietf.org/doc/html/rfc7468) format, with a line break at the end.
    #[attr(computed, use_state_for_unknown)]
    pub(crate) cert_pem: String,
    /// Whether the certificate has expired or will expire within `early_renewal_hours`.
    #[attr(computed)]
    ready_for_renewal: bool,
    /// The time from which on the certificate is valid, in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339)
    /// format.
    #[attr(computed, use_state_for_unknown)]
    validity_start_time: String,
    /// The time until which the certificate is valid, in [RFC 3339](https://datatracker.ietf.org/doc/html/rfc3339)
    /// format.
    #[attr(computed, use_state_for_unknown)]
    validity_end_time: String,
    /// The serial number of the certificate.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Terms {
    /// Returns the state with the attribute that depends on the time.
    pub(crate) fn at(self, now: SystemTime) -> Result<Terms> {
        let is_due = is_due(&self.validity_end_time, self.early_renewal_hours, now)?;
        Ok(Terms { ready_for_renewal: is_due || self.ready_for_renewal, ..self })
    }
}

/// Plans the replacement of a certificate that is ready for renewal.
pub(crate) fn plan_renewal<R: Resource>(cx: &PlanCx<R>, plan: Proposed<Terms>) -> Result<Proposed<Terms>> {
    let (hours, early) = (plan.validity_period_hours, plan.early_renewal_hours);
    if let Known(end) = &plan.validity_end_time {
        // An unknown number of hours can turn out to be any number.
        let is_due = match early {
            Known(early) => is_due(end, early, cx.clock().system_time())?,
            Unknown => true,
        };
        if is_due {
            cx.requires_replace(path!(ready_for_renewal));
            return Ok(Proposed::<Terms> { ready_for_renewal: Unknown, ..plan });
        }
    }
    let ready_for_renewal = match (hours, early) {
        (Known(hours), Known(early)) => Known(early >= hours),
        _ => Unknown,
    };
    Ok(Proposed::<Terms> { ready_for_renewal, ..plan })
}

/// Returns whether a certificate has expired or will expire within some hours.
fn is_due(end: &str, early_renewal_hours: u64, now: SystemTime) -> Result<bool> {
    let end: Timestamp = end.parse().context(format!("Failed to parse data from string: {end}"))?;
    let remaining = end.duration_since(now.try_into()?).as_secs();
    Ok(remaining <= i64::try_from(early_renewal_hours.saturating_mul(3600)).unwrap_or(i64::MAX))
}

/// Who a certificate is issued to.
pub(crate) struct Holder {
    pub(crate) subject: Name,
    pub(crate) alternative_names: Vec<GeneralName>,
    pub(crate) public_key: SubjectPublicKeyInfo,
}

/// Who issues a certificate.
pub(crate) enum Issuer<'a> {
    /// The holder.
    Holder {
        key: &'a PrivateKey,
        set_authority_key_id: bool,
    },
    Authority {
        key: &'a PrivateKey,
        name: Name,
        key_id: Option<OctetString>,
    },
}

/// The contents of a certificate for its builder.
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
    terms: Planned<Terms>,
    holder: Holder,
    issuer: Issuer<'_>,
    now: SystemTime,
) -> Result<TermsComputed> {
    let Holder { subject, alternative_names, public_key } = holder;
    if terms.is_ca_certificate && subject.is_empty() {
        let detail =
            "The certificate of a certificate authority needs at least one attribute in its subject.";
        return Err(Diagnostic::error("Invalid Certificate Subject").detail(detail).into());
    }
    let max_path_length = match terms.max_path_length {
        Known(length) => length,
        Unknown => None,
    };
    let key_id = match terms.is_ca_certificate || terms.set_subject_key_id {
        true => Some(subject_key_id(&public_key).context("Failed to generate subject key identifier")?),
        false => None,
    };
    let (key, issuer, authority_key_id) = match issuer {
        Issuer::Holder { key, set_authority_key_id: false } => (key, subject.clone(), None),
        Issuer::Holder { key, set_authority_key_id: true } => {
            let error = Diagnostic::error("Invalid Certificate Authority");
            let detail = "The certificate has no subject key identifier. Set set_subject_key_id to true.";
            let error = error.detail(detail);
            (key, subject.clone(), Some(key_id.clone().ok_or(error)?))
        }
        // The identifier would be that of another certificate with the same name.
        Issuer::Authority { key, name, key_id } => (key, name.clone(), key_id.filter(|_| name != subject)),
    };
    let certificate = || -> Result<_> {
        let mut extensions = Vec::new();
        // The order of the original.
        let (key_usage, extended_key_usage) = usage::extensions(&terms.allowed_uses);
        if !key_usage.0.is_empty() {
            extensions.push(key_usage.to_extension(&subject, &[])?);
        }
        if !extended_key_usage.0.is_empty() {
            extensions.push((false, &extended_key_usage).to_extension(&subject, &[])?);
        }
        let path_len_constraint =
            max_path_length.filter(|_| terms.is_ca_certificate).and_then(|it| u8::try_from(it).ok());
        let constraints = BasicConstraints { ca: terms.is_ca_certificate, path_len_constraint };
        extensions.push((true, &constraints).to_extension(&subject, &[])?);
        if let Some(it) = key_id {
            extensions.push(SubjectKeyIdentifier(it).to_extension(&subject, &[])?);
        }
        if let Some(it) = authority_key_id {
            let id = AuthorityKeyIdentifier { key_identifier: Some(it), ..Default::default() };
            extensions.push(id.to_extension(&subject, &[])?);
        }
        extensions.extend(alternative_names_extension(alternative_names, &subject)?);

        let mut serial = [0; 16];
        getrandom::fill(&mut serial)?;
        let start = DateTime::try_from(now)?;
        let validity = terms.validity_period_hours.checked_mul(3600).map(Duration::from_secs);
        let end = validity.and_then(|it| start.unix_duration().checked_add(it));
        let end = end.and_then(|it| DateTime::from_unix_duration(it).ok());
        let end = end.context("the certificate would be valid after the year 9999")?;
        let validity = Validity::new(Time::from(start), Time::from(end));
        let contents = Contents { issuer, subject, extensions };
        let builder = CertificateBuilder::new(contents, SerialNumber::new(&serial)?, validity, public_key)?;
        let certificate = builder.build::<_, Signature>(&key.signing_key()?)?.to_der()?;
        Ok((certificate, u128::from_be_bytes(serial), start, end))
    };
    let (certificate, serial, start, end) = certificate().context("Failed to create certificate")?;
    Ok(TermsComputed {
        max_path_length,
        cert_pem: pem::encode(pem::CERTIFICATE, &certificate),
        ready_for_renewal: terms.early_renewal_hours >= terms.validity_period_hours,
        validity_start_time: start.to_string(),
        validity_end_time: end.to_string(),
        id: serial.to_string(),
    })
}

/// Returns the SHA1 checksum of a public key. For Ed25519, the original encodes the key before.
fn subject_key_id(key: &SubjectPublicKeyInfo) -> Result<OctetString> {
    let bytes = key.subject_public_key.raw_bytes();
    let encoded = match key.algorithm.oid == ed25519_dalek::pkcs8::ALGORITHM_OID {
        true => OctetString::new(bytes)?.to_der()?,
        false => bytes.to_vec(),
    };
    Ok(OctetString::new(Sha1::digest(encoded).to_vec())?)
}
