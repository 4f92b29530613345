//! TLS connections, with the modes of libpq.

use std::error::Error as _;
use std::io;
use std::sync::Arc;

use ferroform::{Attr, Context as _, Diagnostic, Model, Result, path};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature_with_raw_key};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use x509_cert::Certificate;
use x509_cert::der::{Decode as _, Encode as _};
use x509_cert::spki::SubjectPublicKeyInfoOwned;

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

/// The server certificates to accept.
#[derive(Debug)]
struct Trust {
    /// The certificates of the CAs. They can include the server certificate itself.
    certificates: Vec<CertificateDer<'static>>,
    verifier: Arc<WebPkiServerVerifier>,
    /// Whether the certificate must be for the host name.
    verifies_name: bool,
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
    let trust = match (mode, roots) {
        (SslMode::VerifyCa | SslMode::VerifyFull, _) | (SslMode::Require, Some(_)) => {
            let certificates = load_trusted_certificates(roots)?;
            let mut store = RootCertStore::empty();
            store.add_parsable_certificates(certificates.iter().cloned());
            let verifier = WebPkiServerVerifier::builder_with_provider(store.into(), provider.clone());
            let verifier = verifier.build().context("Invalid Root Certificates").at(path!(sslrootcert))?;
            Some(Trust { certificates, verifier, verifies_name: mode == SslMode::VerifyFull })
        }
        (SslMode::Disable | SslMode::Prefer | SslMode::Require, _) => None,
    };
    let verifier = LibpqVerifier { trust, provider: provider.clone() };
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
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
    let key = provider.key_provider.load_private_key(key);
    let key = key.context("Invalid Client Key").at(path!(clientcert.key))?;
    let invalid = |detail: &str| {
        Diagnostic::error("Invalid Client Certificate").detail(detail).at(path!(clientcert.cert))
    };
    let certificate = certificates.first();
    let certificate = certificate.ok_or_else(|| invalid("`cert` contains no PEM-encoded certificate."))?;
    let expected = public_key(certificate).map_err(|_| invalid("`cert` is not an X.509 certificate."))?;
    if key.public_key().is_some_and(|it| it != expected) {
        return Err(invalid("`key` is not the private key of the certificate.").into());
    }
    // `with_client_auth_cert` does not accept certificates of version 1.
    let certified_key = CertifiedKey::new(certificates, key);
    Ok(builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(certified_key))))
}

/// The public key of a certificate.
fn public_key(certificate: &CertificateDer<'_>) -> Result<SubjectPublicKeyInfoDer<'static>, Error> {
    if let Ok(parsed) = ParsedCertificate::try_from(certificate) {
        return Ok(parsed.subject_public_key_info());
    }
    // rustls only parses certificates of version 3.
    let key =
        Certificate::from_der(certificate).and_then(|it| it.tbs_certificate.subject_public_key_info.to_der());
    key.map(SubjectPublicKeyInfoDer::from).map_err(|_| CertificateError::BadEncoding.into())
}

/// The CA certificates in a file, or those that the operating system trusts.
fn load_trusted_certificates(file: Option<&str>) -> Result<Vec<CertificateDer<'static>>> {
    let certificates = match file {
        Some(file) => CertificateDer::pem_file_iter(file)
            .and_then(Iterator::collect)
            .context("Cannot Read Root Certificates")
            .at(path!(sslrootcert))?,
        None => rustls_native_certs::load_native_certs().certs,
    };
    if certificates.is_empty() {
        let detail = "No root certificate was found. Set `sslrootcert` to a file with the certificate of the certificate authority (CA).";
        return Err(Diagnostic::error("Missing Root Certificates")
            .detail(detail)
            .at(path!(sslrootcert))
            .into());
    }
    Ok(certificates)
}

/// The reason why a connection failed. The messages of rustls about certificates contain names of Rust enums.
pub(crate) fn describe(error: &tokio_postgres::Error) -> Option<String> {
    let cause = error.source()?;
    let tls = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref).and_then(|it| it.downcast_ref());
    Some(match tls {
        Some(Error::InvalidCertificate(CertificateError::UnknownIssuer)) => {
            "The server certificate is not signed by a trusted certificate authority (CA). Set `sslrootcert` to a file with the \
             certificate of the CA."
                .into()
        }
        Some(Error::InvalidCertificate(CertificateError::BadEncoding | CertificateError::Other(_))) => {
            "The server certificate is not a valid X.509 version 3 server certificate. Replace it, or set `sslrootcert` to a \
             file with the server certificate itself."
                .into()
        }
        _ => cause.to_string(),
    })
}

/// Verifies less than rustls, like the modes `prefer`, `require` and `verify-ca` of libpq.
#[derive(Debug)]
struct LibpqVerifier {
    /// `None` if every certificate is accepted.
    trust: Option<Trust>,
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
    ) -> Result<ServerCertVerified, Error> {
        let Some(trust) = &self.trust else { return Ok(ServerCertVerified::assertion()) };
        // A self-signed certificate is often a CA certificate, which rustls does not accept as a server certificate.
        if trust.certificates.contains(end_entity) {
            verify_validity(end_entity, now)?;
            if trust.verifies_name {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
            }
            return Ok(ServerCertVerified::assertion());
        }
        match trust.verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The verifier checks the name last, so all other checks have succeeded.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !trust.verifies_name => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    /// The signature is verified even if every certificate is accepted: otherwise, channel binding would not detect a server that
    /// has the certificate of another server, but not its key.
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        if ParsedCertificate::try_from(cert).is_ok() {
            return verify_tls12_signature(message, cert, dss, algorithms);
        }
        let key = SubjectPublicKeyInfoOwned::from_der(&public_key(cert)?);
        let key = key.map_err(|_| CertificateError::BadEncoding)?.subject_public_key;
        let mut algorithms = algorithms.mapping.iter().filter(|it| it.0 == dss.scheme).flat_map(|it| it.1);
        match algorithms.any(|it| it.verify_signature(key.raw_bytes(), message, dss.signature()).is_ok()) {
            true => Ok(HandshakeSignatureValid::assertion()),
            false => Err(CertificateError::BadSignature.into()),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature_with_raw_key(message, &public_key(cert)?, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Rejects a certificate that has expired or is not valid yet.
fn verify_validity(certificate: &CertificateDer<'_>, now: UnixTime) -> Result<(), Error> {
    let certificate = Certificate::from_der(certificate).map_err(|_| CertificateError::BadEncoding)?;
    let validity = certificate.tbs_certificate.validity;
    if now.as_secs() < validity.not_before.to_unix_duration().as_secs() {
        return Err(CertificateError::NotValidYet.into());
    }
    if now.as_secs() > validity.not_after.to_unix_duration().as_secs() {
        return Err(CertificateError::Expired.into());
    }
    Ok(())
}
