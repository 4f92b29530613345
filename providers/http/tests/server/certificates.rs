//! Certificates for the tests.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};

/// A PEM-encoded certificate and its private key.
#[derive(Clone)]
pub(crate) struct Identity {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

fn parameters(name: &str, is_ca: bool) -> CertificateParams {
    let mut parameters = CertificateParams::new([name.to_owned()]).unwrap();
    parameters.distinguished_name.push(DnType::CommonName, name);
    if is_ca {
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    }
    parameters
}

/// A self-signed certificate. Many tools mark it as one of an authority.
pub(crate) fn self_signed(name: &str, is_ca: bool) -> Identity {
    sign(&parameters(name, is_ca))
}

/// A self-signed certificate of an authority that is no longer valid.
pub(crate) fn expired(name: &str) -> Identity {
    let mut parameters = parameters(name, true);
    parameters.not_before = date_time_ymd(2000, 1, 1);
    parameters.not_after = date_time_ymd(2001, 1, 1);
    sign(&parameters)
}

fn sign(parameters: &CertificateParams) -> Identity {
    let key = KeyPair::generate().unwrap();
    let certificate = parameters.self_signed(&key).unwrap();
    Identity { certificate: certificate.pem(), key: key.serialize_pem() }
}

/// An authority that issues certificates.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new() -> Authority {
        Authority(CertifiedIssuer::self_signed(parameters("ca", true), KeyPair::generate().unwrap()).unwrap())
    }

    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    pub(crate) fn issue(&self, name: &str) -> Identity {
        let key = KeyPair::generate().unwrap();
        let certificate = parameters(name, false).signed_by(&key, &self.0).unwrap();
        Identity { certificate: certificate.pem(), key: key.serialize_pem() }
    }
}

/// The configuration of a server with a certificate, which requires certificates that `clients` has issued.
pub(crate) fn server(identity: &Identity, clients: Option<&str>) -> ServerConfig {
    let provider = Arc::new(ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions().unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(pem) => {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()).unwrap();
            let verifier =
                WebPkiClientVerifier::builder_with_provider(roots.into(), provider).build().unwrap();
            builder.with_client_cert_verifier(verifier)
        }
    };
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).unwrap();
    builder.with_single_cert(vec![certificate], key).unwrap()
}
