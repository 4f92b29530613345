//! The resource `tls_locally_signed_cert`.

use const_oid::AssociatedOid as _;
use ferroform::{
    ApplyCx, Change, Context as _, Diagnostic, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result,
};
use x509_cert::Certificate;
use x509_cert::SubjectPublicKeyInfo;
use x509_cert::der::Decode as _;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{BasicConstraints, SubjectAltName, SubjectKeyIdentifier};
use x509_cert::request::{CertReq, ExtensionReq};

use crate::key::{Algorithm, PrivateKey};
use crate::terms::{self, Holder, Issuer, Terms, plan_renewal};
use crate::{Tls, pem};

/// Issues a certificate for a certificate request, signed with the key of a certificate authority (CA).
///
/// A plan replaces the certificate once it is ready for renewal.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct LocallySignedCert {
    /// The certificate of the CA in PEM format. Changing it replaces the certificate.
    #[attr(requires_replace, suppress_diff = pem::is_checksum_of)]
    ca_cert_pem: String,
    /// The private key of the CA in PEM format. Changing it replaces the certificate.
    #[attr(sensitive, requires_replace, suppress_diff = pem::is_checksum_of)]
    ca_private_key_pem: String,
    /// The certificate request in PEM format. Changing it replaces the certificate.
    #[attr(requires_replace, suppress_diff = pem::is_checksum_of)]
    cert_request_pem: String,
    #[attr(flatten)]
    terms: Terms,
    /// The algorithm of the private key of the CA.
    #[attr(computed, use_state_for_unknown)]
    ca_key_algorithm: Algorithm,
}

impl Resource for LocallySignedCert {
    type Provider = Tls;

    async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let terms = plan_renewal(cx, change.plan.terms)?;
        Ok(Proposed::<Self> { terms, ..change.plan })
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<LocallySignedCertComputed> {
        let holder = request(&plan.cert_request_pem).context("Failed to parse certificate request PEM")?;
        let key =
            PrivateKey::from_pem(&plan.ca_private_key_pem).context("Failed to parse CA private key PEM")?;
        let authority = authority(&plan.ca_cert_pem).context("Failed to parse CA certificate PEM")?;
        let tbs = authority.tbs_certificate();
        if !tbs.get_extension::<BasicConstraints>()?.is_some_and(|(_, it)| it.ca) {
            let detail = "The certificate in ca_cert_pem is not that of a certificate authority, so programs may reject \
                          the certificates that it signs.";
            cx.report(Diagnostic::warning("Potentially Invalid Certificate Authority").detail(detail));
        }
        let public_key = SubjectPublicKeyInfo::from_key(&key.public_key()?)?;
        if public_key.subject_public_key != tbs.subject_public_key_info().subject_public_key {
            let detail = "The key in ca_private_key_pem does not belong to the certificate in ca_cert_pem.";
            return Err(Diagnostic::error("Failed to create certificate").detail(detail).into());
        }
        let key_id = tbs.get_extension::<SubjectKeyIdentifier>()?.map(|(_, it)| it.0);
        let issuer = Issuer::Authority { key: &key, name: tbs.subject().clone(), key_id };
        let terms = terms::issue(plan.terms, holder, issuer, cx.clock().system_time())?;
        Ok(LocallySignedCertComputed { terms, ca_key_algorithm: key.algorithm() })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(LocallySignedCert { terms: state.terms.at(cx.clock().system_time())?, ..state }))
    }

    ferroform::state_only!(update, delete);
}

fn authority(text: &str) -> Result<Certificate> {
    Ok(Certificate::from_der(&pem::decode_labeled(pem::CERTIFICATE, text)?)?)
}

/// Reads what a certificate takes over from its request: the subject, its alternative names and the public key.
fn request(text: &str) -> Result<Holder> {
    let info = CertReq::from_der(&pem::decode_labeled(pem::CERTIFICATE_REQUEST, text)?)?.info;
    let mut alternative_names = Vec::new();
    for attribute in info.attributes.iter().filter(|it| it.oid == ExtensionReq::OID) {
        for value in attribute.values.iter() {
            let extensions: ExtensionReq = value.decode_as::<Vec<_>>()?.into();
            for extension in extensions.0.iter().filter(|it| it.extn_id == SubjectAltName::OID) {
                alternative_names.extend(SubjectAltName::from_der(extension.extn_value.as_bytes())?.0);
            }
        }
    }
    use GeneralName::{DnsName, IpAddress, UniformResourceIdentifier};
    alternative_names.retain(|it| matches!(it, DnsName(_) | IpAddress(_) | UniformResourceIdentifier(_)));
    Ok(Holder { subject: info.subject, alternative_names, public_key: info.public_key })
}
