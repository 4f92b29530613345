//! The `tls_cert_request` resource.

use ecdsa::signature::Signer as _;
use ferroform::{ApplyCx, Context as _, Model, Planned, ReadCx, Resource, Result, path};
use x509_cert::SubjectPublicKeyInfo;
use x509_cert::der::Encode as _;
use x509_cert::request::{CertReq, CertReqInfo, ExtensionReq};
use x509_cert::spki::{DynSignatureAlgorithmIdentifier as _, SignatureBitStringEncoding as _};

use crate::key::{Algorithm, PrivateKey};
use crate::subject::{Names, alternative_names_extension};
use crate::{Tls, checksum, pem};

/// Creates a certificate signing request (CSR) in PEM format. A certificate authority (CA) issues a certificate for the CSR.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct CertRequest {
    /// The private key of the certificate in PEM format. Changing it replaces the CSR.
    #[attr(sensitive, requires_replace, suppress_diff = pem::is_checksum_of)]
    private_key_pem: String,
    #[attr(flatten, inputs_only)]
    names: Names,
    /// The algorithm of the private key.
    #[attr(computed, use_state_for_unknown)]
    key_algorithm: Algorithm,
    /// The CSR in [PEM](https://datatracker.ietf.org/doc/html/rfc7468) format, with a trailing newline.
    #[attr(computed, use_state_for_unknown)]
    cert_request_pem: String,
    /// The hexadecimal SHA1 checksum of the CSR.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for CertRequest {
    type Provider = Tls;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<CertRequestComputed> {
        let key = PrivateKey::from_pem(&plan.private_key_pem)
            .context("Failed to parse private key PEM")
            .at(path!(private_key_pem))?;
        let der = create_request(&key, &Names::try_from(plan.names)?)
            .context("Error creating certificate request")?;
        Ok(CertRequestComputed {
            key_algorithm: key.algorithm(),
            cert_request_pem: pem::encode(pem::CERTIFICATE_REQUEST, &der),
            id: checksum(&der),
        })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let names = match pem::decode(&state.private_key_pem) {
            Ok(_) => state.names,
            Err(_) => state.names.without_empty_values(),
        };
        Ok(Some(CertRequest { names, ..state }))
    }

    ferroform::state_only!(update, delete);
}

fn create_request(key: &PrivateKey, names: &Names) -> Result<Vec<u8>> {
    let mut info = CertReqInfo {
        version: Default::default(),
        subject: names.name()?,
        public_key: SubjectPublicKeyInfo::from_key(&key.public_key()?)?,
        attributes: Default::default(),
    };
    if let Some(mut extension) = alternative_names_extension(names.alternative_names()?, &info.subject)? {
        extension.critical = false;
        info.attributes.insert(ExtensionReq(vec![extension]).try_into()?)?;
    }
    let signing_key = key.signing_key()?;
    let signature = signing_key.try_sign(&info.to_der()?)?.to_bitstring()?;
    let algorithm = signing_key.signature_algorithm_identifier()?;
    Ok(CertReq { info, algorithm, signature }.to_der()?)
}
