//! The `tls_self_signed_cert` resource.

use ferroform::{ApplyCx, Context as _, Model, Planned, ReadCx, Resource, Result, path};
use x509_cert::SubjectPublicKeyInfo;

use crate::issuance::{self, CertificateAttributes, CertificateSubject, Issuer, plan_renewal};
use crate::key::{Algorithm, PrivateKey};
use crate::subject::Names;
use crate::{Tls, pem};

/// Creates a self-signed certificate.
///
/// Use it for development environments, or as the root certificate of a certificate authority (CA). Once the certificate is
/// ready for renewal, the next plan replaces it.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct SelfSignedCert {
    /// The private key of the certificate in PEM format. Changing it replaces the certificate.
    #[attr(sensitive, requires_replace, suppress_diff = pem::is_checksum_of)]
    private_key_pem: String,
    #[attr(flatten, inputs_only)]
    names: Names,
    #[attr(flatten, plan_with = plan_renewal)]
    attributes: CertificateAttributes,
    /// Whether to include an [authority key
    /// identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.1), which equals the subject key identifier.
    #[attr(requires_replace, default = false)]
    set_authority_key_id: bool,
    /// The algorithm of the private key.
    #[attr(computed, use_state_for_unknown)]
    key_algorithm: Algorithm,
}

impl Resource for SelfSignedCert {
    type Provider = Tls;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SelfSignedCertComputed> {
        let key = PrivateKey::from_pem(&plan.private_key_pem)
            .context("Failed to parse private key PEM")
            .at(path!(private_key_pem))?;
        let public_key = SubjectPublicKeyInfo::from_key(&key.public_key()?);
        let names = Names::try_from(plan.names)?;
        let subject = CertificateSubject {
            subject: names.name().context("Failed to create certificate")?,
            alternative_names: names.alternative_names().context("Failed to create certificate")?,
            public_key: public_key.context("Failed to get public key from private key")?,
        };
        let issuer = Issuer::Subject { key: &key, set_authority_key_id: plan.set_authority_key_id };
        let attributes = issuance::issue(plan.attributes, subject, issuer, cx.clock().system_time())?;
        Ok(SelfSignedCertComputed { attributes, key_algorithm: key.algorithm() })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let names = match pem::decode(&state.private_key_pem) {
            Ok(_) => state.names,
            Err(_) => state.names.without_empty_values(),
        };
        Ok(Some(SelfSignedCert {
            names,
            attributes: state.attributes.refresh(cx.clock().system_time())?,
            ..state
        }))
    }

    ferroform::state_only!(update, delete);
}
