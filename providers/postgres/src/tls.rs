//! TLS connections, with the modes of libpq.

use std::sync::Arc;

use ferroform::{Attr, Context as _, Diagnostic, Model, Result, path};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

/// The TLS mode of a connection.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "kebab-case")]
pub(crate) enum SslMode {
    /// Does not use TLS.
    Disable,
    /// Uses TLS if the server supports it, and does not verify the server certificate.
    Prefer,
    /// Requires TLS. The server certificate is verified only if `sslrootcert` is set.
    Require,
    /// Requires TLS and a server certificate of a trusted CA.
    VerifyCa,
    /// Requires TLS and a server certificate of a trusted CA for the host name.
    VerifyFull,
}

/// The client certificate.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct ClientCert {
    /// The path of a file with the PEM-encoded client certificate. With `sslinline`, the PEM-encoded certificate itself.
    cert: String,
    /// The path of a file with the PEM-encoded private key. With `sslinline`, the PEM-encoded key itself.
    #[attr(sensitive)]
    key: String,
    /// Whether `cert` and `key` contain PEM-encoded data instead of paths.
    #[attr(default = false)]
    sslinline: bool,
}

/// How the server certificate is verified.
#[derive(Debug)]
enum Verification {
    None,
    Ca(Arc<WebPkiServerVerifier>),
}

/// The TLS configuration.
pub(crate) fn config(
    mode: SslMode,
    roots: Option<&str>,
    client: Option<&ClientCert>,
) -> Result<ClientConfig> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone());
    let builder = builder.with_safe_default_protocol_versions().context("TLS Not Available")?;
    let builder = match (mode, roots) {
        (SslMode::VerifyFull, roots) => builder.with_root_certificates(trusted(roots)?),
        (SslMode::VerifyCa, roots) | (SslMode::Require, roots @ Some(_)) => {
            let verifier =
                WebPkiServerVerifier::builder_with_provider(trusted(roots)?.into(), provider.clone());
            let verifier = verifier.build().context("Invalid Root Certificates")?;
            let verifier = LibpqVerifier { verification: Verification::Ca(verifier), provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
        (SslMode::Disable | SslMode::Prefer | SslMode::Require, _) => {
            let verifier = LibpqVerifier { verification: Verification::None, provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
    };
    let Some(client) = client else { return Ok(builder.with_no_client_auth()) };
    let (certificates, key) = match client.sslinline {
        true => (
            CertificateDer::pem_slice_iter(client.cert.as_bytes()).collect(),
            PrivateKeyDer::from_pem_slice(client.key.as_bytes()),
        ),
        false => (
            CertificateDer::pem_file_iter(&client.cert).and_then(Iterator::collect),
            PrivateKeyDer::from_pem_file(&client.key),
        ),
    };
    let certificates: Vec<_> =
        certificates.context("Invalid Client Certificate").at(path!(clientcert.cert))?;
    let key = key.context("Invalid Client Key").at(path!(clientcert.key))?;
    builder
        .with_client_auth_cert(certificates, key)
        .context("Invalid Client Certificate")
        .at(path!(clientcert))
}

/// The CA certificates in a file, or those that the operating system trusts.
fn trusted(file: Option<&str>) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    match file {
        Some(file) => {
            let certificates =
                CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            for it in certificates.context("Cannot Read Root Certificates").at(path!(sslrootcert))? {
                roots.add(it).context("Invalid Root Certificate").at(path!(sslrootcert))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if roots.is_empty() {
        let detail = "No root certificate was found. Set `sslrootcert` to a file with the certificate of the certificate authority (CA).";
        return Err(Diagnostic::error("Missing Root Certificates")
            .detail(detail)
            .at(path!(sslrootcert))
            .into());
    }
    Ok(roots)
}

/// Verifies less than rustls, like the modes `prefer`, `require` and `verify-ca` of libpq.
#[derive(Debug)]
struct LibpqVerifier {
    verification: Verification,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for LibpqVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Verification::Ca(verifier) = &self.verification else {
            return Ok(ServerCertVerified::assertion());
        };
        match verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The verifier checks the name last, so all other checks have succeeded.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
