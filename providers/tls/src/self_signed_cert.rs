//! The resource `tls_self_signed_cert`.

use ferroform::{ApplyCx, Change, Context as _, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result};
use x509_cert::SubjectPublicKeyInfo;

use crate::key::{Algorithm, PrivateKey};
use crate::subject::Names;
use crate::terms::{self, Holder, Issuer, Terms, plan_renewal};
use crate::{Tls, pem};

/// Issues a certificate that is signed with its own key.
///
/// Such a certificate is useful in development environments, and as the certificate of a certificate authority (CA). A
/// plan replaces it once it is ready for renewal.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct SelfSignedCert {
    /// The private key of the certificate in PEM format. Changing it replaces the certificate.
    #[attr(sensitive, requires_replace, suppress_diff = pem::is_checksum_of)]
    private_key_pem: String,
    #[attr(flatten, inputs_only)]
    names: Names,
    #[attr(flatten)]
    terms: Terms,
    /// Whether the certificate contains an [authority key
    /// identifier](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.1), which equals its subject key
    /// identifier.
    #[attr(requires_replace, default = false)]
    set_authority_key_id: bool,
    /// The algorithm of the private key.
    #[attr(computed, use_state_for_unknown)]
    key_algorithm: Algorithm,
}

impl Resource for SelfSignedCert {
    type Provider = Tls;

    async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let terms = plan_renewal(cx, change.plan.terms)?;
        Ok(Proposed::<Self> { terms, ..change.plan })
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SelfSignedCertComputed> {
        let key = PrivateKey::from_pem(&plan.private_key_pem).context("Failed to parse private key PEM")?;
        let public_key = SubjectPublicKeyInfo::from_key(&key.public_key()?);
        let names = Names::try_from(plan.names)?;
        let holder = Holder {
            subject: names.name().context("Failed to create certificate")?,
            alternative_names: names.alternative_names().context("Failed to create certificate")?,
            public_key: public_key.context("Failed to get public key from private key")?,
        };
        let issuer = Issuer::Holder { key: &key, set_authority_key_id: plan.set_authority_key_id };
        let terms = terms::issue(plan.terms, holder, issuer, cx.clock().system_time())?;
        Ok(SelfSignedCertComputed { terms, key_algorithm: key.algorithm() })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let names = match pem::decode(&state.private_key_pem) {
            Ok(_) => state.names,
            Err(_) => state.names.without_empty_values(),
        };
        Ok(Some(SelfSignedCert { names, terms: state.terms.at(cx.clock().system_time())?, ..state }))
    }

    ferroform::state_only!(update, delete);
}
