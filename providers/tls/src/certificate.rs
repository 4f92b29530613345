//! The `tls_certificate` data source.

use std::fmt::Write as _;

use ferroform::{Args, Context as _, DataCx, DataSource, Diagnostic, Model, Result, path};
use num_bigint::BigInt;
use rsa::pkcs1::RsaPssParamsOwned;
use sha1::{Digest as _, Sha1};
use url::Url;
use x509_cert::certificate::{CertificateInner, Raw};
use x509_cert::der::Decode as _;
use x509_cert::der::asn1::{Any, ObjectIdentifier};
use x509_cert::ext::pkix::BasicConstraints;
use x509_cert::spki::AlgorithmIdentifier;

use crate::distinguished_name;
use crate::fetch;
use crate::proxy::url_with_scheme;
use crate::{Tls, checksum, pem};

/// Reads the certificates that a server presents, or a certificate in PEM format.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct CertificateChain {
    /// The URL of the server. With the `https` scheme, the provider sends an HTTP request, uses the proxy of the provider
    /// configuration and follows redirects. With the `tls` scheme, it only opens a TLS connection, and the port is
    /// required, such as `tls://example.com:443`.
    #[attr(exactly_one_of(content), validate = url_with_scheme(&["https", "tls"]))]
    url: Option<String>,
    /// A certificate in [PEM](https://datatracker.ietf.org/doc/html/rfc7468) format.
    content: Option<String>,
    /// Whether to verify the certificate chain of the server. Defaults to `true`.
    #[attr(conflicts_with(content))]
    verify_chain: Option<bool>,
    /// The certificate chain. The server certificate is the last element.
    #[attr(object, computed)]
    certificates: Vec<Certificate>,
    /// A checksum of the certificate chain.
    #[attr(computed)]
    id: String,
}

/// The fields of a certificate.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Certificate {
    /// The signature algorithm, such as `SHA256-RSA`.
    signature_algorithm: String,
    /// The algorithm of the public key, such as `RSA`.
    public_key_algorithm: String,
    /// The serial number in decimal.
    serial_number: String,
    /// Whether this is a CA certificate.
    is_ca: bool,
    /// The maximum number of intermediate certificates. `-1` means no limit. `0` if the certificate has no basic
    /// constraints.
    max_path_length: i64,
    /// The X.509 version of the certificate.
    version: u8,
    /// The distinguished name of the issuer.
    issuer: String,
    /// The distinguished name of the subject.
    subject: String,
    /// The start of the validity period, in RFC 3339 format.
    not_before: String,
    /// The end of the validity period, in RFC 3339 format.
    not_after: String,
    /// The hexadecimal SHA1 checksum of the certificate.
    sha1_fingerprint: String,
    /// The certificate in PEM format.
    cert_pem: String,
}

impl DataSource for CertificateChain {
    type Provider = Tls;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<CertificateChainComputed> {
        let certificates = match (args.content, args.url) {
            (Some(content), _) => vec![parse_certificate(&content)?],
            (None, url) => {
                let url =
                    Url::parse(&url.unwrap_or_default()).context("Failed to parse URL").at(path!(url))?;
                let found = match (url.scheme(), url.port()) {
                    ("tls", None) => {
                        let detail = format!(
                            "The URL {url} has no port. With the `tls` scheme, the port is required, such as `tls://example.com:443`."
                        );
                        return Err(Diagnostic::error("URL malformed").detail(detail).at(path!(url)).into());
                    }
                    ("tls", Some(_)) => fetch::tls(&url, args.verify_chain.unwrap_or(true)).await,
                    _ => fetch::https(url, args.verify_chain.unwrap_or(true), &cx.provider).await,
                };
                let found = found.context("Failed to identify fetch peer certificates").at(path!(url))?;
                let certificates = found.iter().rev().map(|it| Certificate::from_der(it));
                certificates.collect::<Result<_>>().context("Unable to parse certificate").at(path!(url))?
            }
        };
        let id = compute_id(&certificates).context("Unable to parse certificate")?;
        Ok(CertificateChainComputed { certificates, id })
    }
}

fn parse_certificate(content: &str) -> Result<Certificate> {
    let Ok(block) = pem::decode(content) else {
        let error =
            Diagnostic::error("Failed to decoded PEM").detail("\"content\" must contain a valid PEM block.");
        return Err(error.at(path!(content)).into());
    };
    if block.tag() != pem::CERTIFICATE {
        let detail = format!(
            "The PEM preamble of a certificate must be {:?}, but got {:?}.",
            pem::CERTIFICATE,
            block.tag()
        );
        return Err(Diagnostic::error("Unexpected PEM preamble").detail(detail).at(path!(content)).into());
    }
    Certificate::from_der(block.contents()).context("Unable to parse certificate").at(path!(content))
}

impl Certificate {
    fn from_der(der: &[u8]) -> Result<Certificate> {
        // The `Raw` profile also reads certificates that do not conform to RFC 5280.
        let certificate = CertificateInner::<Raw>::from_der(der)?;
        let tbs = certificate.tbs_certificate();
        let constraints = tbs.get_extension::<BasicConstraints>()?.map(|(_, it)| it);
        let max_path_length = match &constraints {
            Some(it) => it.path_len_constraint.map_or(-1, i64::from),
            None => 0,
        };
        Ok(Certificate {
            signature_algorithm: signature_algorithm_name(certificate.signature_algorithm()).to_owned(),
            public_key_algorithm: key_algorithm_name(tbs.subject_public_key_info().algorithm.oid).to_owned(),
            serial_number: BigInt::from_signed_bytes_be(tbs.serial_number().as_bytes()).to_string(),
            is_ca: constraints.is_some_and(|it| it.ca),
            max_path_length,
            version: tbs.version() as u8 + 1,
            issuer: distinguished_name::format(tbs.issuer())?,
            subject: distinguished_name::format(tbs.subject())?,
            not_before: tbs.validity().not_before.to_date_time().to_string(),
            not_after: tbs.validity().not_after.to_date_time().to_string(),
            sha1_fingerprint: crate::hex(&Sha1::digest(der)),
            cert_pem: pem::encode(pem::CERTIFICATE, der),
        })
    }
}

/// Computes the ID as the original does: the checksum of the certificates in the format in which Go prints them.
fn compute_id(certificates: &[Certificate]) -> Result<String> {
    let mut output = String::from("[");
    for (index, certificate) in certificates.iter().enumerate() {
        let separator = if index == 0 { "" } else { " " };
        write!(
            output,
            "{separator}{{{:?} {:?} {:?} {} {} {} {:?} {:?} {:?} {:?} {:?} {:?}}}",
            certificate.signature_algorithm,
            certificate.public_key_algorithm,
            certificate.serial_number,
            certificate.is_ca,
            certificate.max_path_length,
            certificate.version,
            certificate.issuer,
            certificate.subject,
            certificate.not_before,
            certificate.not_after,
            certificate.sha1_fingerprint,
            certificate.cert_pem
        )?;
    }
    Ok(checksum(format!("{output}]").as_bytes()))
}

/// Returns the name of a signature algorithm in Go, or `0` for an unknown algorithm.
fn signature_algorithm_name(algorithm: &AlgorithmIdentifier<Any>) -> &'static str {
    match &*algorithm.oid.to_string() {
        "1.2.840.113549.1.1.10" => pss_algorithm_name(algorithm.parameters.as_ref()),
        "1.2.840.113549.1.1.2" => "MD2-RSA",
        "1.2.840.113549.1.1.4" => "MD5-RSA",
        "1.2.840.113549.1.1.5" | "1.3.14.3.2.29" => "SHA1-RSA",
        "1.2.840.113549.1.1.11" => "SHA256-RSA",
        "1.2.840.113549.1.1.12" => "SHA384-RSA",
        "1.2.840.113549.1.1.13" => "SHA512-RSA",
        "1.2.840.10040.4.3" => "DSA-SHA1",
        "2.16.840.1.101.3.4.3.2" => "DSA-SHA256",
        "1.2.840.10045.4.1" => "ECDSA-SHA1",
        "1.2.840.10045.4.3.2" => "ECDSA-SHA256",
        "1.2.840.10045.4.3.3" => "ECDSA-SHA384",
        "1.2.840.10045.4.3.4" => "ECDSA-SHA512",
        "1.3.101.112" => "Ed25519",
        _ => "0",
    }
}

/// Returns the name of an RSASSA-PSS algorithm, whose parameters contain the hash function.
fn pss_algorithm_name(parameters: Option<&Any>) -> &'static str {
    let parameters = parameters.and_then(|it| it.decode_as::<RsaPssParamsOwned>().ok());
    match parameters.map(|it| it.hash.oid.to_string()).as_deref() {
        Some("2.16.840.1.101.3.4.2.1") => "SHA256-RSAPSS",
        Some("2.16.840.1.101.3.4.2.2") => "SHA384-RSAPSS",
        Some("2.16.840.1.101.3.4.2.3") => "SHA512-RSAPSS",
        _ => "0",
    }
}

/// Returns the name of a public key algorithm in Go, or `0` for an unknown algorithm.
fn key_algorithm_name(oid: ObjectIdentifier) -> &'static str {
    match &*oid.to_string() {
        "1.2.840.113549.1.1.1" => "RSA",
        "1.2.840.10040.4.1" => "DSA",
        "1.2.840.10045.2.1" => "ECDSA",
        "1.3.101.112" => "Ed25519",
        _ => "0",
    }
}
