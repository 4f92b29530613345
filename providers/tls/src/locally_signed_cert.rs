//! The `tls_locally_signed_cert` resource.

use const_oid::AssociatedOid as _;
use ferroform::{ApplyCx, Context as _, Diagnostic, Model, Planned, ReadCx, Resource, Result, path};
use x509_cert::Certificate;
use x509_cert::SubjectPublicKeyInfo;
use x509_cert::der::Decode as _;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{BasicConstraints, SubjectAltName, SubjectKeyIdentifier};
use x509_cert::request::{CertReq, ExtensionReq};

use crate::issuance::{self, CertificateAttributes, CertificateSubject, Issuer, plan_renewal};
use crate::key::{Algorithm, PrivateKey};
use crate::{Tls, pem};

/// Issues a certificate for a certificate signing request (CSR), signed with the private key of a certificate authority (CA).
///
/// Once the certificate is ready for renewal, the next plan replaces it.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct LocallySignedCert {
    /// The CA certificate in PEM format. Changing it replaces the certificate.
    #[attr(requires_replace, suppress_diff = pem::is_checksum_of)]
    ca_cert_pem: String,
    /// The private key of the CA in PEM format. Changing it replaces the certificate.
    #[attr(sensitive, requires_replace, suppress_diff = pem::is_checksum_of)]
    ca_private_key_pem: String,
    /// The CSR in PEM format. Changing it replaces the certificate.
    #[attr(requires_replace, suppress_diff = pem::is_checksum_of)]
    cert_request_pem: String,
    #[attr(flatten, plan_with = plan_renewal)]
    attributes: CertificateAttributes,
    /// The algorithm of the private key of the CA.
    #[attr(computed, use_state_for_unknown)]
    ca_key_algorithm: Algorithm,
}

impl Resource for LocallySignedCert {
    type Provider = Tls;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<LocallySignedCertComputed> {
        let subject = parse_request(&plan.cert_request_pem)
            .context("Failed to parse certificate request PEM")
            .at(path!(cert_request_pem))?;
        let key = PrivateKey::from_pem(&plan.ca_private_key_pem)
            .context("Failed to parse CA private key PEM")
            .at(path!(ca_private_key_pem))?;
        let ca_certificate = parse_ca_certificate(&plan.ca_cert_pem)
            .context("Failed to parse CA certificate PEM")
            .at(path!(ca_cert_pem))?;
        let tbs = ca_certificate.tbs_certificate();
        if !tbs.get_extension::<BasicConstraints>()?.is_some_and(|(_, it)| it.ca) {
            let detail = "The certificate in \"ca_cert_pem\" is not a CA certificate, so clients may reject certificates that \
                          it signs.";
            let warning = Diagnostic::warning("Potentially Invalid Certificate Authority").detail(detail);
            cx.report(warning.at(path!(ca_cert_pem)));
        }
        let public_key = SubjectPublicKeyInfo::from_key(&key.public_key()?)?;
        if public_key.subject_public_key != tbs.subject_public_key_info().subject_public_key {
            let detail =
                "The key in \"ca_private_key_pem\" does not match the certificate in \"ca_cert_pem\".";
            let error = Diagnostic::error("Failed to create certificate").detail(detail);
            return Err(error.at(path!(ca_private_key_pem)).into());
        }
        let key_id = tbs.get_extension::<SubjectKeyIdentifier>()?.map(|(_, it)| it.0);
        let issuer = Issuer::Authority { key: &key, name: tbs.subject().clone(), key_id };
        let attributes = issuance::issue(plan.attributes, subject, issuer, cx.clock().system_time())?;
        Ok(LocallySignedCertComputed { attributes, ca_key_algorithm: key.algorithm() })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(LocallySignedCert {
            attributes: state.attributes.refresh(cx.clock().system_time())?,
            ..state
        }))
    }

    ferroform::state_only!(update, delete);
}

fn parse_ca_certificate(text: &str) -> Result<Certificate> {
    Ok(Certificate::from_der(&pem::decode_labeled(pem::CERTIFICATE, text)?)?)
}

/// Reads the fields of a CSR that the certificate copies: the subject, the subject alternative names and the public key.
fn parse_request(text: &str) -> Result<CertificateSubject> {
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
    Ok(CertificateSubject { subject: info.subject, alternative_names, public_key: info.public_key })
}
