//! Mutual TLS with Terraform: each peer knows the other's certificate in advance and accepts no other.
//!
//! Terraform passes its certificate in the environment, and the server prints its own in the handshake line.
//! Any local process can connect to the socket, so a client must present exactly Terraform's certificate and prove
//! that it has the key.

mod certificate;
mod p521;

use std::sync::Arc;

use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
#[cfg(feature = "client")]
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{NoServerSessionStorage, ParsedCertificate};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, ServerConfig, SignatureScheme};

use super::error::Error;

/// The TLS configuration of the server, and its certificate for the handshake line.
pub(super) fn configure(client_pem: &str) -> Result<(Arc<ServerConfig>, CertificateDer<'static>), Error> {
    let pinned = PinnedClient::new(client_pem)?;
    let (certificate, key) = certificate::generate()?;
    let tls_error = |error| Error::new(format!("cannot set up TLS: {error}"));
    let mut config = ServerConfig::builder_with_provider(Arc::clone(pinned.signatures.provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(tls_error)?
        .with_client_cert_verifier(Arc::new(pinned))
        .with_single_cert(vec![certificate.clone()], key)
        .map_err(tls_error)?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    // Each connection is authenticated, so sessions are not resumed.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok((Arc::new(config), certificate))
}

/// Generates a certificate for one side of a connection, and its key.
#[cfg(feature = "client")]
pub(super) fn generate_certificate() -> Result<(CertificateDer<'static>, PrivateKeyDer<'static>), Error> {
    certificate::generate()
}

/// Verifies the signatures of the peer, also those on P-521, which ring does not support.
#[derive(Clone, Debug)]
pub(super) struct SignatureVerifier(Arc<CryptoProvider>);

impl SignatureVerifier {
    pub(super) fn new() -> SignatureVerifier {
        SignatureVerifier(Arc::new(rustls::crypto::ring::default_provider()))
    }

    pub(super) fn provider(&self) -> &Arc<CryptoProvider> {
        &self.0
    }

    pub(super) fn verify_tls12(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, self.algorithms(signed))
    }

    pub(super) fn verify_tls13(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, self.algorithms(signed))
    }

    pub(super) fn schemes(&self) -> Vec<SignatureScheme> {
        let mut schemes = p521::ALGORITHMS.supported_schemes();
        schemes.extend(self.0.signature_verification_algorithms.supported_schemes());
        schemes
    }

    fn algorithms(&self, signed: &DigitallySignedStruct) -> &WebPkiSupportedAlgorithms {
        if signed.scheme == SignatureScheme::ECDSA_NISTP521_SHA512 {
            &p521::ALGORITHMS
        } else {
            &self.0.signature_verification_algorithms
        }
    }
}

/// The methods of a certificate verifier for signatures. Those of servers and of clients have the same types.
macro_rules! verify_signatures {
    () => {
        /// Never called, because TLS 1.2 is not offered.
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &rustls::pki_types::CertificateDer<'_>,
            signed: &rustls::DigitallySignedStruct,
        ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
            self.signatures.verify_tls12(message, certificate, signed)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &rustls::pki_types::CertificateDer<'_>,
            signed: &rustls::DigitallySignedStruct,
        ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
            self.signatures.verify_tls13(message, certificate, signed)
        }

        fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
            self.signatures.schemes()
        }
    };
}
#[cfg(feature = "client")]
pub(crate) use verify_signatures;

/// Accepts only the certificates from the environment.
#[derive(Debug)]
struct PinnedClient {
    certificates: Vec<CertificateDer<'static>>,
    signatures: SignatureVerifier,
}

impl PinnedClient {
    fn new(pem: &str) -> Result<Self, Error> {
        let mut certificates = Vec::new();
        for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
            // The error of the library contains bytes instead of a message.
            let certificate = certificate.map_err(|_| Error::new("PLUGIN_CLIENT_CERT is not valid PEM"))?;
            ParsedCertificate::try_from(&certificate)
                .map_err(Error::context("PLUGIN_CLIENT_CERT is not a certificate"))?;
            certificates.push(certificate);
        }
        if certificates.is_empty() {
            return Err(Error::new("PLUGIN_CLIENT_CERT contains no PEM certificate"));
        }
        Ok(Self { certificates, signatures: SignatureVerifier::new() })
    }
}

impl ClientCertVerifier for PinnedClient {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    /// Compares the certificates byte by byte, so chain, name and dates are not checked.
    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        if self.certificates.contains(end_entity) {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(CertificateError::UnknownIssuer.into())
        }
    }

    verify_signatures!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_client_certificate_is_rejected() {
        for (pem, expected) in [
            ("", "PLUGIN_CLIENT_CERT contains no PEM certificate"),
            ("nonsense", "PLUGIN_CLIENT_CERT contains no PEM certificate"),
            ("-----BEGIN CERTIFICATE-----\nAA", "PLUGIN_CLIENT_CERT is not valid PEM"),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "PLUGIN_CLIENT_CERT is not a certificate: invalid peer certificate: BadEncoding",
            ),
        ] {
            assert_eq!(configure(pem).unwrap_err().to_string(), expected);
        }
    }
}
