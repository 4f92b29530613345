//! The formats of a public key, and the `tls_public_key` data source and ephemeral resource.

use ferroform::{
    Args, Context as _, DataCx, DataSource, EphemeralResource, Model, OpenCx, Opened, Result, path,
};
use md5::{Digest as _, Md5};
use ssh_key::HashAlg;

use crate::key::{Algorithm, PrivateKey};
use crate::{Tls, checksum, pem};

/// The formats of a public key.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct PublicKeyFormats {
    /// The public key in [PEM](https://datatracker.ietf.org/doc/html/rfc7468) format, with a trailing newline.
    #[attr(computed)]
    public_key_pem: String,
    /// The public key in OpenSSH `authorized_keys` format, with a trailing newline. Empty for `ECDSA` with curve `P224`,
    /// which OpenSSH does not support.
    #[attr(computed)]
    public_key_openssh: String,
    /// The MD5 fingerprint of the public key in OpenSSH format, such as `aa:bb:cc:…`. Empty if `public_key_openssh` is
    /// empty.
    #[attr(computed)]
    public_key_fingerprint_md5: String,
    /// The SHA256 fingerprint of the public key in OpenSSH format, such as `SHA256:…`. Empty if `public_key_openssh` is
    /// empty.
    #[attr(computed)]
    public_key_fingerprint_sha256: String,
}

impl PublicKeyFormats {
    pub(crate) fn from_key(key: &PrivateKey) -> Result<PublicKeyFormats> {
        let public_key_pem = pem::encode("PUBLIC KEY", key.public_key()?.0.as_bytes());
        let Some(openssh) = key.to_openssh()? else {
            return Ok(PublicKeyFormats {
                public_key_pem,
                public_key_openssh: String::new(),
                public_key_fingerprint_md5: String::new(),
                public_key_fingerprint_sha256: String::new(),
            });
        };
        let openssh = openssh.public_key();
        let md5: Vec<_> = Md5::digest(openssh.to_bytes()?).iter().map(|it| format!("{it:02x}")).collect();
        Ok(PublicKeyFormats {
            public_key_pem,
            public_key_openssh: format!("{}\n", openssh.to_openssh()?.trim_end()),
            public_key_fingerprint_md5: md5.join(":"),
            public_key_fingerprint_sha256: openssh.fingerprint(HashAlg::Sha256).to_string(),
        })
    }
}

/// Computes the checksum of the public key, which is the ID of a key.
pub(crate) fn public_key_checksum(key: &PrivateKey) -> Result<String> {
    Ok(checksum(key.public_key()?.0.as_bytes()))
}

/// Extracts the public key from a private key in PEM or OpenSSH format.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct PublicKey {
    /// The private key in PEM format: PKCS#1, SEC 1 or PKCS#8.
    #[attr(sensitive, exactly_one_of(private_key_openssh))]
    private_key_pem: Option<String>,
    /// The private key in OpenSSH format.
    #[attr(sensitive)]
    private_key_openssh: Option<String>,
    /// The algorithm of the key.
    #[attr(computed)]
    algorithm: Algorithm,
    #[attr(flatten)]
    formats: PublicKeyFormats,
    /// The hexadecimal SHA1 checksum of the public key.
    #[attr(computed)]
    id: String,
}

impl PublicKey {
    fn extract(args: Args<Self>) -> Result<PublicKeyComputed> {
        let key = match (args.private_key_pem, args.private_key_openssh) {
            (Some(pem), _) => PrivateKey::from_pem(&pem).at(path!(private_key_pem)),
            (None, openssh) => {
                PrivateKey::from_openssh(&openssh.unwrap_or_default()).at(path!(private_key_openssh))
            }
        };
        let key = key.context("Unable to parse private key")?;
        Ok(PublicKeyComputed {
            algorithm: key.algorithm(),
            formats: PublicKeyFormats::from_key(&key)?.into(),
            id: public_key_checksum(&key)?,
        })
    }
}

impl DataSource for PublicKey {
    type Provider = Tls;

    async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<PublicKeyComputed> {
        Self::extract(args)
    }
}

impl EphemeralResource for PublicKey {
    type Provider = Tls;
    type Private = ();

    async fn open(_: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        Ok(Opened::new(Self::extract(args)?, ()))
    }
}
