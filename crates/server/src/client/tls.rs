//! Mutual TLS with a plugin: the client presents a certificate of its own, and accepts only the certificate in the
//! handshake line.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::client::danger::{ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig};

use super::error::{PluginError, PluginErrorKind};
use crate::tls::{SignatureVerifier, generate_certificate, verify_signatures};

/// The certificate and the key of the client.
pub(super) struct Identity {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    pub(super) fn generate() -> Result<Identity, PluginError> {
        let (certificate, key) = generate_certificate()
            .map_err(|error| PluginError::new(PluginErrorKind::Start, error.to_string()))?;
        Ok(Identity { certificate, key })
    }

    /// The certificate for the environment of the plugin.
    pub(super) fn pem(&self) -> String {
        let encoded = STANDARD.encode(&self.certificate);
        format!("-----BEGIN CERTIFICATE-----\n{encoded}\n-----END CERTIFICATE-----\n")
    }

    /// The configuration of a connection to the plugin with this certificate.
    pub(super) fn connect_to(self, server: CertificateDer<'static>) -> Result<ClientConfig, rustls::Error> {
        let signatures = SignatureVerifier::new();
        let provider = signatures.provider().clone();
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(PinnedServer { certificate: server, signatures }))
            .with_client_auth_cert(vec![self.certificate], self.key)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(config)
    }
}

/// Accepts only the certificate of the handshake line.
#[derive(Debug)]
struct PinnedServer {
    certificate: CertificateDer<'static>,
    signatures: SignatureVerifier,
}

impl ServerCertVerifier for PinnedServer {
    /// Compares the certificates byte by byte, so chain, name and dates are not checked.
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if *end_entity == self.certificate {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(CertificateError::UnknownIssuer.into())
        }
    }

    verify_signatures!();
}
