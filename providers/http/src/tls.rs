//! TLS: the verification of server certificates, and the client certificate.

use std::sync::{Arc, LazyLock};

use ferroform::{Args, Context, Diagnostic, Result, path};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
};
use rustls_platform_verifier::Verifier;

use crate::data_source::Response;

const INVALID_CA: &str = "Error configuring TLS client";
const INVALID_CLIENT: &str = "error creating x509 key pair";

/// The TLS configuration of a client.
pub(crate) fn config(args: &Args<Response>, has_http2: bool) -> Result<ClientConfig> {
    let provider = Arc::new(ring::default_provider());
    let trust = match (&args.ca_cert_pem, args.insecure) {
        (Some(pem), _) => Trust::certificates(pem, &provider)?,
        (None, Some(true)) => Trust::Everything,
        (None, _) => Trust::System,
    };
    let verifier = Arc::new(ServerVerifier { trust, provider: provider.clone() });
    let key_provider = provider.key_provider;
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
    let mut config = match (&args.client_cert_pem, &args.client_key_pem) {
        (Some(certificates), Some(key)) => {
            let certificates = parse_certificates(certificates, "client_cert_pem");
            let certificates = certificates.context(INVALID_CLIENT).at(path!(client_cert_pem))?;
            let is_parsed = certificates.first().is_some_and(|it| ParsedCertificate::try_from(it).is_ok());
            let parsed = is_parsed.then_some(certificates);
            let parsed = parsed.context("the certificate in `client_cert_pem` cannot be parsed");
            // The errors of the parsers do not name the supported formats.
            let detail = "`client_key_pem` must contain an unencrypted RSA, P-256, P-384 or Ed25519 private key in PEM format: PKCS#8, PKCS#1 or SEC 1.";
            let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).ok();
            let key = key.filter(|it| key_provider.load_private_key(it.clone_key()).is_ok());
            builder
                .with_client_auth_cert(
                    parsed.context(INVALID_CLIENT).at(path!(client_cert_pem))?,
                    key.context(detail).context(INVALID_CLIENT).at(path!(client_key_pem))?,
                )
                .context(INVALID_CLIENT)
                .at(path!(client_cert_pem))?
        }
        _ => builder.with_no_client_auth(),
    };
    config.alpn_protocols =
        if has_http2 { vec![b"h2".into(), b"http/1.1".into()] } else { vec![b"http/1.1".into()] };
    Ok(config)
}

/// The certificates in a PEM document, without blocks that cannot be decoded.
fn parse_certificates(pem: &str, attribute: &str) -> Result<Vec<CertificateDer<'static>>> {
    let certificates: Vec<_> =
        CertificateDer::pem_slice_iter(pem.as_bytes()).filter_map(Result::ok).collect();
    if certificates.is_empty() {
        let detail = format!(
            "`{attribute}` contains no valid PEM-encoded certificate. A certificate begins with `-----BEGIN CERTIFICATE-----` and \
             ends with `-----END CERTIFICATE-----`."
        );
        return Err(Diagnostic::error(detail).into());
    }
    Ok(certificates)
}

/// The verifier of the operating system. It reads the certificates at the first TLS connection, because requests without TLS
/// succeed on machines without certificates.
static SYSTEM: LazyLock<Result<Verifier, Error>> =
    LazyLock::new(|| Verifier::new(Arc::new(ring::default_provider())));

/// The server certificates to accept.
#[derive(Debug)]
enum Trust {
    System,
    Certificates(Vec<CertificateDer<'static>>, Arc<WebPkiServerVerifier>),
    Everything,
}

impl Trust {
    /// Trusts the certificates in a PEM document.
    fn certificates(pem: &str, provider: &Arc<CryptoProvider>) -> Result<Trust> {
        let certificates = parse_certificates(pem, "ca_cert_pem");
        let certificates = certificates.context(INVALID_CA).at(path!(ca_cert_pem))?;
        let mut roots = RootCertStore::empty();
        if roots.add_parsable_certificates(certificates.iter().cloned()).0 == 0 {
            let detail = "`ca_cert_pem` contains no certificate that can be parsed.";
            return Err(Diagnostic::error(INVALID_CA).detail(detail).at(path!(ca_cert_pem)).into());
        }
        let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), provider.clone()).build();
        Ok(Trust::Certificates(certificates, verifier.context(INVALID_CA).at(path!(ca_cert_pem))?))
    }
}

/// Verifies server certificates.
#[derive(Debug)]
struct ServerVerifier {
    trust: Trust,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for ServerVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match &self.trust {
            Trust::Everything => Ok(ServerCertVerified::assertion()),
            Trust::System => {
                let verifier = SYSTEM.as_ref().map_err(Clone::clone)?;
                verifier.verify_server_cert(certificate, intermediates, name, ocsp, now)
            }
            Trust::Certificates(trusted, verifier) => {
                match verifier.verify_server_cert(certificate, intermediates, name, ocsp, now) {
                    Err(error) if is_about_issuer(&error) && trusted.contains(certificate) => {
                        verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                        Ok(ServerCertVerified::assertion())
                    }
                    result => result,
                }
            }
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Returns `true` if the certificate is not expired, but its issuer is unknown, or it is a CA certificate, as many
/// self-signed certificates are. The verifier checks the validity period first.
fn is_about_issuer(error: &Error) -> bool {
    match error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => true,
        Error::InvalidCertificate(CertificateError::Other(OtherError(cause))) => {
            cause.downcast_ref() == Some(&webpki::Error::CaUsedAsEndEntity)
        }
        _ => false,
    }
}
