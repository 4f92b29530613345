//! The server's certificate: self-signed, created at each start, and passed to Terraform in the handshake line.
//!
//! The certificate always has the same few fields, so it is encoded here. A general X.509 encoder would be the
//! second largest dependency of the server.

use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use super::super::error::Error;

/// The server name that Terraform verifies.
const NAME: &[u8] = b"localhost";
const ORGANIZATION: &[u8] = b"Ferroform";
/// The validity. The certificate is valid as long as the process, so it needs no expiration date. This date means
/// that there is none (RFC 5280, 4.1.2.5).
const NOT_BEFORE: &[u8] = b"700101000000Z";
const NOT_AFTER: &[u8] = b"99991231235959Z";

mod oid {
    pub(super) const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
    pub(super) const PRIME256V1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
    pub(super) const ECDSA_WITH_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
    pub(super) const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
    pub(super) const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a];
    pub(super) const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
    pub(super) const ALT_NAME: &[u8] = &[0x55, 0x1d, 0x11];
    pub(super) const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
    pub(super) const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x25];
    pub(super) const SERVER_AUTH: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];
    pub(super) const CLIENT_AUTH: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];
}

mod tag {
    pub(super) const BOOLEAN: u8 = 0x01;
    pub(super) const INTEGER: u8 = 0x02;
    pub(super) const BIT_STRING: u8 = 0x03;
    pub(super) const OCTET_STRING: u8 = 0x04;
    pub(super) const OID: u8 = 0x06;
    pub(super) const UTF8: u8 = 0x0c;
    pub(super) const UTC_TIME: u8 = 0x17;
    pub(super) const GENERALIZED_TIME: u8 = 0x18;
    pub(super) const SEQUENCE: u8 = 0x30;
    pub(super) const SET: u8 = 0x31;
    /// `dNSName` in a subject alternative name.
    pub(super) const DNS: u8 = 0x82;
    pub(super) const VERSION: u8 = 0xa0;
    pub(super) const EXTENSIONS: u8 = 0xa3;
}

/// Generates a key on P-256 and a certificate for it.
pub(super) fn generate() -> Result<(CertificateDer<'static>, PrivateKeyDer<'static>), Error> {
    let generation_error = |_| Error::new("cannot generate a key for the connection with Terraform");
    let random = SystemRandom::new();
    let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
    let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).map_err(generation_error)?;
    let key = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random)
        .map_err(|error| Error::new(format!("cannot read the generated key: {error}")))?;
    let mut serial = [0; 16];
    random.fill(&mut serial).map_err(generation_error)?;

    let body = to_be_signed(serial, key.public_key().as_ref());
    let signature = key.sign(&random, &body).map_err(generation_error)?;
    let certificate = node(tag::SEQUENCE, &[&body, &signature_algorithm(), &bits(0, signature.as_ref())]);
    let key = PrivatePkcs8KeyDer::from(document.as_ref().to_vec());
    Ok((certificate.into(), key.into()))
}

fn to_be_signed(mut serial: [u8; 16], public_key: &[u8]) -> Vec<u8> {
    // The serial number must be positive and without leading zeros.
    serial[0] = serial[0] & 0x7f | 0x40;
    let name = sequence(&[&attribute(oid::ORGANIZATION, ORGANIZATION), &attribute(oid::COMMON_NAME, NAME)]);
    let validity = sequence(&[&leaf(tag::UTC_TIME, NOT_BEFORE), &leaf(tag::GENERALIZED_TIME, NOT_AFTER)]);
    let key_type = sequence(&[&leaf(tag::OID, oid::EC_PUBLIC_KEY), &leaf(tag::OID, oid::PRIME256V1)]);
    let extensions = sequence(&[
        // Digital signature, key encipherment, key agreement, certificate signing.
        &extension(oid::KEY_USAGE, true, &bits(2, &[0b1010_1100])),
        &extension(oid::BASIC_CONSTRAINTS, true, &sequence(&[&leaf(tag::BOOLEAN, &[0xff])])),
        &extension(
            oid::EXTENDED_KEY_USAGE,
            false,
            &sequence(&[&leaf(tag::OID, oid::CLIENT_AUTH), &leaf(tag::OID, oid::SERVER_AUTH)]),
        ),
        &extension(oid::ALT_NAME, false, &sequence(&[&leaf(tag::DNS, NAME)])),
    ]);
    sequence(&[
        // Version 3.
        &node(tag::VERSION, &[&leaf(tag::INTEGER, &[2])]),
        &leaf(tag::INTEGER, &serial),
        &signature_algorithm(),
        &name,
        &validity,
        &name,
        &sequence(&[&key_type, &bits(0, public_key)]),
        &node(tag::EXTENSIONS, &[&extensions]),
    ])
}

fn signature_algorithm() -> Vec<u8> {
    sequence(&[&leaf(tag::OID, oid::ECDSA_WITH_SHA256)])
}

fn attribute(kind: &[u8], text: &[u8]) -> Vec<u8> {
    node(tag::SET, &[&sequence(&[&leaf(tag::OID, kind), &leaf(tag::UTF8, text)])])
}

fn extension(kind: &[u8], critical: bool, value: &[u8]) -> Vec<u8> {
    let critical = if critical { leaf(tag::BOOLEAN, &[0xff]) } else { Vec::new() };
    sequence(&[&leaf(tag::OID, kind), &critical, &leaf(tag::OCTET_STRING, value)])
}

fn bits(unused: u8, bytes: &[u8]) -> Vec<u8> {
    node(tag::BIT_STRING, &[&[unused], bytes])
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    node(tag::SEQUENCE, parts)
}

fn leaf(tag: u8, content: &[u8]) -> Vec<u8> {
    node(tag, &[content])
}

fn node(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = vec![tag];
    match u8::try_from(length) {
        Ok(short @ ..=0x7f) => out.push(short),
        _ => {
            let bytes = length.to_be_bytes();
            let bytes = &bytes[(length.leading_zeros() / 8) as usize..];
            out.push(0x80 | bytes.len() as u8);
            out.extend_from_slice(bytes);
        }
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn der_lengths_are_encoded() {
        assert_eq!(leaf(4, &[0; 127])[..2], [4, 127]);
        assert_eq!(leaf(4, &[0; 128])[..3], [4, 0x81, 128]);
        assert_eq!(leaf(4, &[0; 256])[..4], [4, 0x82, 1, 0]);
    }

    #[test]
    fn generated_certificate_is_valid_for_localhost() {
        let (der, _) = generate().unwrap();
        let certificate = rustls::server::ParsedCertificate::try_from(&der).unwrap();
        let name = "localhost".try_into().unwrap();
        rustls::client::verify_server_name(&certificate, &name).unwrap();
    }
}
