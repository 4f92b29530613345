//! The `tls_private_key` resource and ephemeral resource.

use ferroform::{
    ApplyCx, Args, Change, Context as _, Diagnostic, Diagnostics, EphemeralResource, Known, Model, OpenCx,
    Opened, PlanCx, Planned, Proposed, RequestCx, Resource, Result,
};

use crate::Tls;
use crate::key::{self, Algorithm, Curve, PrivateKey};
use crate::public_key::{PublicKeyFormats, public_key_checksum};

const RSA_BITS: u64 = 2048;
const CURVE: Curve = Curve::P224;

/// The summary of errors, as in the original.
const KEY_ERROR: &str = "Unable to generate Key from configuration";

/// The formats of a private key and of its public key.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct KeyFormats {
    /// The private key in PEM format: PKCS#1 for `RSA`, SEC 1 for `ECDSA`, and PKCS#8 for `ED25519`.
    #[attr(computed, sensitive)]
    private_key_pem: String,
    /// The private key in OpenSSH format. Empty for `ECDSA` with curve `P224`, which OpenSSH does not support.
    #[attr(computed, sensitive)]
    private_key_openssh: String,
    /// The private key in [PKCS#8](https://datatracker.ietf.org/doc/html/rfc5208) PEM format.
    #[attr(computed, sensitive)]
    private_key_pem_pkcs8: String,
    #[attr(flatten)]
    public: PublicKeyFormats,
}

impl KeyFormats {
    fn from_key(key: &PrivateKey) -> Result<KeyFormats> {
        Ok(KeyFormats {
            private_key_pem: key.to_pem().context("Unable to encode key to PEM")?,
            private_key_openssh: key
                .to_openssh_pem()
                .context("Unable to marshal private key into OpenSSH format")?,
            private_key_pem_pkcs8: key
                .to_pkcs8_pem()
                .context("Unable to encode private key to PKCS#8 PEM")?,
            public: PublicKeyFormats::from_key(key).context("Failed to marshal public key")?,
        })
    }
}

/// Generates a private key, and encodes it and its public key in PEM and OpenSSH formats.
///
/// The private key is stored unencrypted in state. If you only pass it to a write-only argument, use the `tls_private_key`
/// ephemeral resource, which Terraform does not store.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = PrivateKeyV0)]
pub(crate) struct PrivateKeyResource {
    /// The algorithm of the key.
    #[attr(requires_replace)]
    algorithm: Algorithm,
    /// The size of an `RSA` key in bits, at least 1024. Ignored for other algorithms.
    #[attr(requires_replace, default = RSA_BITS)]
    rsa_bits: u64,
    /// The elliptic curve of an `ECDSA` key. Ignored for other algorithms.
    #[attr(requires_replace, default = CURVE)]
    ecdsa_curve: Curve,
    #[attr(flatten)]
    formats: KeyFormats,
    /// The hexadecimal SHA1 checksum of the public key.
    #[attr(computed)]
    id: String,
}

impl Resource for PrivateKeyResource {
    type Provider = Tls;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        // Other versions have generated keys of other sizes, which remain in the state.
        let is_new = change.prior.is_none() && change.plan.algorithm == Known(Algorithm::Rsa);
        if let Known(bits) = change.plan.rsa_bits
            && is_new
        {
            key::validate_rsa_bits(bits).context(KEY_ERROR)?;
        }
        Ok(change.plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PrivateKeyResourceComputed> {
        let key = generate(cx, plan.algorithm, plan.rsa_bits, plan.ecdsa_curve).await?;
        Ok(PrivateKeyResourceComputed {
            formats: KeyFormats::from_key(&key)?.into(),
            id: public_key_checksum(&key)?,
        })
    }

    ferroform::state_only!(read, delete);
}

/// Generates a key on a separate thread, so that cancellation is possible while a large RSA key is generated.
async fn generate(cx: &RequestCx, algorithm: Algorithm, rsa_bits: u64, curve: Curve) -> Result<PrivateKey> {
    let key = tokio::task::spawn_blocking(move || PrivateKey::generate(algorithm, rsa_bits, curve));
    match cx.unless_cancelled(key).await {
        Ok(key) => key?.context(KEY_ERROR),
        // The error of the framework would ask the user to check whether a remote object exists.
        Err(_) => {
            let detail = "The generation of the key was interrupted. No key was stored.";
            Err(Diagnostic::error("Operation Canceled").detail(detail).into())
        }
    }
}

/// The state of versions before 4. Versions before 3.2 did not store the key in OpenSSH format.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct PrivateKeyV0 {
    algorithm: Algorithm,
    rsa_bits: u64,
    ecdsa_curve: Curve,
    #[attr(sensitive)]
    private_key_pem: String,
    #[attr(sensitive)]
    private_key_openssh: Option<String>,
}

impl TryFrom<PrivateKeyV0> for PrivateKeyResource {
    type Error = Diagnostics;

    fn try_from(old: PrivateKeyV0) -> Result<Self> {
        let key = PrivateKey::from_pem(&old.private_key_pem).context("Unable to parse key from PEM")?;
        let mut formats = KeyFormats { private_key_pem: old.private_key_pem, ..KeyFormats::from_key(&key)? };
        // A different encoding of the same key would be a change.
        if let Some(openssh) = old.private_key_openssh.filter(|it| !it.is_empty()) {
            formats.private_key_openssh = openssh;
        }
        let PrivateKeyV0 { algorithm, rsa_bits, ecdsa_curve, .. } = old;
        Ok(PrivateKeyResource { algorithm, rsa_bits, ecdsa_curve, formats, id: public_key_checksum(&key)? })
    }
}

/// Generates a private key, and encodes it and its public key in PEM and OpenSSH formats. Terraform stores neither.
///
/// Each plan and each apply generates a new key. Pass it to a write-only argument of a resource.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct EphemeralPrivateKey {
    /// The algorithm of the key.
    algorithm: Algorithm,
    /// The size of an `RSA` key in bits, at least 1024. Ignored for other algorithms. Defaults to `2048`.
    #[attr(optional, computed)]
    rsa_bits: u64,
    /// The elliptic curve of an `ECDSA` key. Ignored for other algorithms. Defaults to `P224`.
    #[attr(optional, computed)]
    ecdsa_curve: Curve,
    #[attr(flatten)]
    formats: KeyFormats,
}

impl EphemeralResource for EphemeralPrivateKey {
    type Provider = Tls;
    type Private = ();

    async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let (rsa_bits, ecdsa_curve) = (args.rsa_bits.unwrap_or(RSA_BITS), args.ecdsa_curve.unwrap_or(CURVE));
        let key = generate(cx, args.algorithm, rsa_bits, ecdsa_curve).await?;
        let formats = KeyFormats::from_key(&key)?.into();
        Ok(Opened::new(EphemeralPrivateKeyComputed { rsa_bits, ecdsa_curve, formats }, ()))
    }
}
