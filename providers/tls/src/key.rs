//! Private keys: generation, formats and signatures.

use std::fmt::Display;

use ecdsa::signature::Signer;
use ecdsa::signature::hazmat::PrehashSigner as _;
use ed25519_dalek::pkcs8::KeypairBytes;
use ferroform::{Attr, Context as _, Diagnostic, Result, path};
use getrandom::SysRng;
use p256::elliptic_curve::Generate as _;
use p256::elliptic_curve::sec1::ToSec1Point as _;
use rsa::pkcs1::{DecodeRsaPrivateKey as _, EncodeRsaPrivateKey as _};
use rsa::pkcs8::{DecodePrivateKey as _, Document, EncodePrivateKey as _, EncodePublicKey, SecretDocument};
use rsa::signature::Keypair;
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use ssh_key::private::{EcdsaKeypair, Ed25519Keypair, KeypairData, RsaKeypair};
use x509_cert::der;
use x509_cert::der::asn1::{Any, BitString, ObjectIdentifier};
use x509_cert::spki::{
    self, AlgorithmIdentifier, DynSignatureAlgorithmIdentifier, SignatureBitStringEncoding,
};

use crate::pem;

/// A private key algorithm.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Algorithm {
    Rsa,
    Ecdsa,
    Ed25519,
}

/// An elliptic curve.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Curve {
    P224,
    P256,
    P384,
    P521,
}

/// Checks the size of an RSA key to generate.
pub(crate) fn validate_rsa_bits(bits: u64) -> Result<(), Diagnostic> {
    if bits >= 1024 {
        return Ok(());
    }
    let error = format!("an RSA key must have at least 1024 bits, but got {bits}");
    Err(Diagnostic::error(error).at(path!(rsa_bits)))
}

/// A private key.
pub(crate) enum PrivateKey {
    Rsa(Box<rsa::PrivateKey>),
    P224(p224::SecretKey),
    P256(p256::SecretKey),
    P384(p384::SecretKey),
    P521(p521::SecretKey),
    Ed25519(ed25519_dalek::SigningKey),
}

/// Matches on a private key. The key types of all curves differ, but have the same methods.
macro_rules! match_key {
    ($key:expr, Rsa($rsa:ident) => $on_rsa:expr, Ecdsa($secret:ident) => $on_ecdsa:expr, Ed25519($ed:ident) => $on_ed:expr) => {
        match $key {
            PrivateKey::Rsa($rsa) => $on_rsa,
            PrivateKey::P224($secret) => $on_ecdsa,
            PrivateKey::P256($secret) => $on_ecdsa,
            PrivateKey::P384($secret) => $on_ecdsa,
            PrivateKey::P521($secret) => $on_ecdsa,
            PrivateKey::Ed25519($ed) => $on_ed,
        }
    };
}

const PKCS1: &str = "RSA PRIVATE KEY";
const SEC1: &str = "EC PRIVATE KEY";
const PKCS8: &str = "PRIVATE KEY";
const OPENSSH: &str = "OPENSSH PRIVATE KEY";
const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";

const ENCRYPTED_KEY: &str = "the private key is encrypted with a passphrase, which is not supported";

impl PrivateKey {
    pub(crate) fn generate(algorithm: Algorithm, rsa_bits: u64, curve: Curve) -> Result<PrivateKey> {
        let rng = &mut SysRng;
        Ok(match (algorithm, curve) {
            (Algorithm::Rsa, _) => {
                validate_rsa_bits(rsa_bits)?;
                PrivateKey::Rsa(Box::new(rsa::PrivateKey::new(rng, usize::try_from(rsa_bits)?)?))
            }
            (Algorithm::Ecdsa, Curve::P224) => PrivateKey::P224(p224::SecretKey::try_generate_from_rng(rng)?),
            (Algorithm::Ecdsa, Curve::P256) => PrivateKey::P256(p256::SecretKey::try_generate_from_rng(rng)?),
            (Algorithm::Ecdsa, Curve::P384) => PrivateKey::P384(p384::SecretKey::try_generate_from_rng(rng)?),
            (Algorithm::Ecdsa, Curve::P521) => PrivateKey::P521(p521::SecretKey::try_generate_from_rng(rng)?),
            (Algorithm::Ed25519, _) => {
                let mut seed = [0; 32];
                getrandom::fill(&mut seed)?;
                PrivateKey::Ed25519(ed25519_dalek::SigningKey::from_bytes(&seed))
            }
        })
    }

    /// Reads a key in PKCS#1, SEC 1 or PKCS#8 format.
    pub(crate) fn from_pem(text: &str) -> Result<PrivateKey> {
        let block = pem::decode(text)?;
        if block.tag() == ENCRYPTED
            || block.headers().get("Proc-Type").is_some_and(|it| it.ends_with("ENCRYPTED"))
        {
            return Err(Diagnostic::error(ENCRYPTED_KEY).into());
        }
        match block.tag() {
            PKCS1 => Self::from_pkcs1(block.contents()),
            SEC1 => Self::from_sec1(block.contents()),
            PKCS8 => Self::from_pkcs8(block.contents()),
            label => Err(Diagnostic::error(format!(
                "PEM block type {label:?} is not a supported private key format"
            ))
            .into()),
        }
    }

    /// Reads a key in OpenSSH format, or in one of the formats of `from_pem`.
    pub(crate) fn from_openssh(text: &str) -> Result<PrivateKey> {
        let block = pem::decode(text)?;
        if block.tag() != OPENSSH {
            return Self::from_pem(text);
        }
        let key = ssh_key::PrivateKey::from_bytes(block.contents())?;
        match key.key_data() {
            KeypairData::Rsa(it) => Ok(PrivateKey::Rsa(Box::new(it.try_into()?))),
            KeypairData::Ed25519(it) => Ok(PrivateKey::Ed25519(it.try_into()?)),
            KeypairData::Ecdsa(EcdsaKeypair::NistP256 { private, .. }) => {
                Ok(PrivateKey::P256(p256::SecretKey::from_slice(private.as_slice())?))
            }
            KeypairData::Ecdsa(EcdsaKeypair::NistP384 { private, .. }) => {
                Ok(PrivateKey::P384(p384::SecretKey::from_slice(private.as_slice())?))
            }
            KeypairData::Ecdsa(EcdsaKeypair::NistP521 { private, .. }) => {
                Ok(PrivateKey::P521(p521::SecretKey::from_slice(private.as_slice())?))
            }
            KeypairData::Encrypted(_) => Err(Diagnostic::error(ENCRYPTED_KEY).into()),
            _ => Err(Diagnostic::error("unsupported private key type").into()),
        }
    }

    fn from_pkcs1(der: &[u8]) -> Result<PrivateKey> {
        Ok(PrivateKey::Rsa(Box::new(rsa::PrivateKey::from_pkcs1_der(der).map_err(undecodable)?)))
    }

    fn from_sec1(der: &[u8]) -> Result<PrivateKey> {
        let curve = sec1::EcPrivateKey::try_from(der)
            .map_err(undecodable)?
            .parameters
            .and_then(|it| it.named_curve());
        Ok(match curve.context("the key contains no named curve")? {
            oid if oid == P224 => PrivateKey::P224(p224::SecretKey::from_sec1_der(der)?),
            oid if oid == P256 => PrivateKey::P256(p256::SecretKey::from_sec1_der(der)?),
            oid if oid == P384 => PrivateKey::P384(p384::SecretKey::from_sec1_der(der)?),
            oid if oid == P521 => PrivateKey::P521(p521::SecretKey::from_sec1_der(der)?),
            oid => return Err(Diagnostic::error(format!("unsupported elliptic curve {oid}")).into()),
        })
    }

    fn from_pkcs8(der: &[u8]) -> Result<PrivateKey> {
        let info = rsa::pkcs8::PrivateKeyInfoRef::try_from(der).map_err(undecodable)?;
        Ok(match (info.algorithm.oid, info.algorithm.parameters_oid().ok()) {
            (rsa::pkcs1::ALGORITHM_OID, _) => {
                PrivateKey::Rsa(Box::new(rsa::PrivateKey::from_pkcs8_der(der).map_err(undecodable)?))
            }
            (ed25519_dalek::pkcs8::ALGORITHM_OID, _) => {
                PrivateKey::Ed25519(ed25519_dalek::SigningKey::from_pkcs8_der(der).map_err(undecodable)?)
            }
            (_, Some(P224)) => PrivateKey::P224(p224::SecretKey::from_pkcs8_der(der)?),
            (_, Some(P256)) => PrivateKey::P256(p256::SecretKey::from_pkcs8_der(der)?),
            (_, Some(P384)) => PrivateKey::P384(p384::SecretKey::from_pkcs8_der(der)?),
            (_, Some(P521)) => PrivateKey::P521(p521::SecretKey::from_pkcs8_der(der)?),
            (oid, _) => return Err(Diagnostic::error(format!("unsupported private key type {oid}")).into()),
        })
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        match_key!(self, Rsa(_it) => Algorithm::Rsa, Ecdsa(_it) => Algorithm::Ecdsa, Ed25519(_it) => Algorithm::Ed25519)
    }

    /// Encodes the key in the default format of its algorithm: PKCS#1 for RSA, SEC 1 for ECDSA, PKCS#8 for Ed25519.
    pub(crate) fn to_pem(&self) -> Result<String> {
        match_key!(
            self,
            Rsa(key) => Ok(pem::encode(PKCS1, key.to_pkcs1_der()?.as_bytes())),
            Ecdsa(key) => Ok(pem::encode(SEC1, &key.to_sec1_der()?)),
            Ed25519(_key) => self.to_pkcs8_pem()
        )
    }

    pub(crate) fn to_pkcs8_pem(&self) -> Result<String> {
        let der: SecretDocument = match_key!(
            self,
            Rsa(key) => key.to_pkcs8_der()?,
            Ecdsa(key) => key.to_pkcs8_der()?,
            // Omits the public key, because older programs reject it.
            Ed25519(key) => KeypairBytes { secret_key: key.to_bytes(), public_key: None }.to_pkcs8_der()?
        );
        Ok(pem::encode(PKCS8, der.as_bytes()))
    }

    /// Returns the key in OpenSSH format, or `None` for curve P-224, which OpenSSH does not support.
    pub(crate) fn to_openssh(&self) -> Result<Option<ssh_key::PrivateKey>> {
        let data: KeypairData = match self {
            PrivateKey::Rsa(key) => RsaKeypair::try_from(&**key)?.into(),
            PrivateKey::P224(_) => return Ok(None),
            PrivateKey::P256(key) => {
                let public = key.public_key().to_sec1_point(false);
                EcdsaKeypair::NistP256 { public, private: key.clone().into() }.into()
            }
            PrivateKey::P384(key) => {
                let public = key.public_key().to_sec1_point(false);
                EcdsaKeypair::NistP384 { public, private: key.clone().into() }.into()
            }
            PrivateKey::P521(key) => {
                let public = key.public_key().to_sec1_point(false);
                EcdsaKeypair::NistP521 { public, private: key.clone().into() }.into()
            }
            PrivateKey::Ed25519(key) => Ed25519Keypair::from(key).into(),
        };
        Ok(Some(ssh_key::PrivateKey::new(data, "")?))
    }

    pub(crate) fn to_openssh_pem(&self) -> Result<String> {
        match self.to_openssh()? {
            Some(key) => Ok(pem::encode(OPENSSH, &key.to_bytes()?)),
            None => Ok(String::new()),
        }
    }
}

/// The message of a decoding error contains that of its source, which the conversion of errors would repeat.
fn undecodable(error: impl Display) -> Diagnostic {
    Diagnostic::error(format!("the private key cannot be decoded: {error}"))
}

const P224: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.33");
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
const P384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.34");
const P521: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.35");

/// Signs certificates and CSRs with a private key.
pub(crate) struct SigningKey<'a> {
    key: &'a PrivateKey,
    public_key: PublicKey,
}

/// A public key in the encoding that certificates use.
#[derive(Clone)]
pub(crate) struct PublicKey(pub(crate) Document);

/// A signature in the encoding that certificates use.
pub(crate) struct Signature(Vec<u8>);

impl PrivateKey {
    pub(crate) fn public_key(&self) -> Result<PublicKey> {
        let der = match_key!(
            self,
            Rsa(key) => key.to_public_key().to_public_key_der(),
            Ecdsa(key) => key.public_key().to_public_key_der(),
            Ed25519(key) => key.verifying_key().to_public_key_der()
        );
        Ok(PublicKey(der?))
    }

    pub(crate) fn signing_key(&self) -> Result<SigningKey<'_>> {
        Ok(SigningKey { key: self, public_key: self.public_key()? })
    }
}

impl EncodePublicKey for PublicKey {
    fn to_public_key_der(&self) -> Result<Document, spki::Error> {
        Ok(self.0.clone())
    }
}

impl SignatureBitStringEncoding for Signature {
    fn to_bitstring(&self) -> Result<BitString, der::Error> {
        BitString::from_bytes(&self.0)
    }
}

impl Keypair for SigningKey<'_> {
    type VerifyingKey = PublicKey;

    fn verifying_key(&self) -> PublicKey {
        self.public_key.clone()
    }
}

impl DynSignatureAlgorithmIdentifier for SigningKey<'_> {
    fn signature_algorithm_identifier(&self) -> Result<AlgorithmIdentifier<Any>, spki::Error> {
        let (oid, parameters) = match self.key {
            PrivateKey::Rsa(_) => ("1.2.840.113549.1.1.11", Some(Any::null())),
            PrivateKey::P224(_) | PrivateKey::P256(_) => ("1.2.840.10045.4.3.2", None),
            PrivateKey::P384(_) => ("1.2.840.10045.4.3.3", None),
            PrivateKey::P521(_) => ("1.2.840.10045.4.3.4", None),
            PrivateKey::Ed25519(_) => ("1.3.101.112", None),
        };
        Ok(AlgorithmIdentifier { oid: ObjectIdentifier::new_unwrap(oid), parameters })
    }
}

impl Signer<Signature> for SigningKey<'_> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, ecdsa::signature::Error> {
        let digest = match self.key {
            PrivateKey::P384(_) => Sha384::digest(message).to_vec(),
            PrivateKey::P521(_) => Sha512::digest(message).to_vec(),
            _ => Sha256::digest(message).to_vec(),
        };
        match_key!(
            self.key,
            Rsa(key) => {
                let padding = rsa::Pkcs1v15Sign::new::<Sha256>();
                let signature = key.sign_with_rng(&mut SysRng, padding, &digest);
                signature.map(Signature).map_err(ecdsa::signature::Error::from_source)
            },
            Ecdsa(key) => {
                let signature: ecdsa::Signature<_> = ecdsa::SigningKey::from(key).sign_prehash(&digest)?;
                Ok(Signature(signature.to_der().as_bytes().to_vec()))
            },
            Ed25519(key) => Ok(Signature(key.try_sign(message)?.to_vec()))
        )
    }
}
