//! Client certificates and their keys, as Terraform creates them.

use std::sync::Arc;

use p521::ecdsa::signature::Signer as _;
use p521::ecdsa::{DerSignature, SigningKey as P521Key};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::sign::{CertifiedKey, Signer, SigningKey, SingleCertAndKey};
use rustls::{SignatureAlgorithm, SignatureScheme};

/// A certificate and a private key.
pub struct Identity {
    certificate: CertificateDer<'static>,
    key: Arc<dyn SigningKey>,
}

impl Identity {
    /// Creates an identity on P-521, as Terraform does. Each seed results in a different key.
    pub fn p521(seed: u8) -> Self {
        let key = P521Key::from_slice(&[&[0][..], &[seed; 65]].concat()).unwrap();
        let point = key.verifying_key().to_sec1_point(false);
        let sign = |body: &[u8]| -> DerSignature { key.sign(body) };
        let certificate =
            certify(P521_CURVE, ECDSA_WITH_SHA512, point.as_bytes(), |body| sign(body).as_bytes().to_vec());
        Self { certificate, key: Arc::new(P521Signer(key)) }
    }

    /// An identity on P-256.
    pub fn p256() -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap();
        let sign = |body: &[u8]| key.sign(&random, body).unwrap().as_ref().to_vec();
        let certificate = certify(P256_CURVE, ECDSA_WITH_SHA256, key.public_key().as_ref(), sign);
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(document.as_ref().to_vec()));
        Self { certificate, key: rustls::crypto::ring::sign::any_supported_type(&key).unwrap() }
    }

    /// The certificate of this identity with the key of another one.
    pub fn with_key_of(self, other: Self) -> Self {
        Self { certificate: self.certificate, key: other.key }
    }

    /// Returns the certificate in PEM, as Terraform sets it in the environment.
    pub fn pem(&self) -> String {
        use base64::Engine as _;
        let encoded = base64::engine::general_purpose::STANDARD.encode(&self.certificate);
        format!("-----BEGIN CERTIFICATE-----\n{encoded}\n-----END CERTIFICATE-----\n")
    }

    /// The certificate and the key, as a TLS client needs them.
    pub fn resolver(&self) -> Arc<SingleCertAndKey> {
        let key = CertifiedKey::new(vec![self.certificate.clone()], Arc::clone(&self.key));
        Arc::new(SingleCertAndKey::from(key))
    }
}

#[derive(Debug)]
struct P521Signer(P521Key);

impl SigningKey for P521Signer {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let offered = offered.contains(&SignatureScheme::ECDSA_NISTP521_SHA512);
        offered.then(|| Box::new(Self(self.0.clone())) as Box<dyn Signer>)
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::ECDSA
    }
}

impl Signer for P521Signer {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rustls::Error> {
        let signature: DerSignature = self.0.sign(message);
        Ok(signature.as_bytes().to_vec())
    }

    fn scheme(&self) -> SignatureScheme {
        SignatureScheme::ECDSA_NISTP521_SHA512
    }
}

const P521_CURVE: &[u8] = &[0x06, 5, 0x2b, 0x81, 0x04, 0x00, 0x23];
const P256_CURVE: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const EC_PUBLIC_KEY: &[u8] = &[0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const ECDSA_WITH_SHA256: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const ECDSA_WITH_SHA512: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04];
const SEQUENCE: u8 = 0x30;
const BITS: u8 = 0x03;

/// A minimal certificate: without names and extensions.
fn certify(
    curve: &[u8],
    algorithm: &[u8],
    key: &[u8],
    sign: impl Fn(&[u8]) -> Vec<u8>,
) -> CertificateDer<'static> {
    let algorithm = der(SEQUENCE, &[algorithm]);
    let time = |time: &str| der(0x17, &[time.as_bytes()]);
    let body = der(
        SEQUENCE,
        &[
            &[0xa0, 3, 2, 1, 2],
            &[2, 1, 1],
            &algorithm,
            &der(SEQUENCE, &[]),
            &der(SEQUENCE, &[&time("260101000000Z"), &time("490101000000Z")]),
            &der(SEQUENCE, &[]),
            &der(SEQUENCE, &[&der(SEQUENCE, &[EC_PUBLIC_KEY, curve]), &der(BITS, &[&[0], key])]),
        ],
    );
    der(SEQUENCE, &[&body, &algorithm, &der(BITS, &[&[0], &sign(&body)])]).into()
}

fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    // The long form is valid for every length.
    let mut out = vec![tag];
    match content.len() {
        length @ ..=127 => out.push(length as u8),
        length @ ..=255 => out.extend([0x81, length as u8]),
        length => out.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    [out, content].concat()
}
