//! The detached signature of the checksums, which `gpg` creates and verifies.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::error::{DistError, DistErrorKind, Result};

/// The public-key algorithms of RFC 9580 that the Terraform Registry accepts: RSA and DSA.
const ALGORITHMS_OF_THE_TERRAFORM_REGISTRY: [u8; 2] = [1, 17];

/// A valid signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The fingerprint of the primary key.
    pub(crate) fingerprint: String,
    /// The public-key algorithm of RFC 9580.
    algorithm: u8,
}

impl Signature {
    /// True if the Terraform Registry accepts keys of this kind.
    pub(crate) fn is_accepted_by_terraform_registry(&self) -> bool {
        ALGORITHMS_OF_THE_TERRAFORM_REGISTRY.contains(&self.algorithm)
    }
}

/// Signs a file with a key, or with the default key of `gpg`. An existing signature is replaced.
pub(crate) fn sign(file: &Path, signature: &Path, key: Option<&str>) -> Result {
    let mut gpg = Command::new("gpg");
    gpg.args(["--batch", "--yes", "--detach-sign"]);
    if let Some(key) = key {
        gpg.args(["--local-user", key]);
    }
    gpg.arg("--output").arg(signature).arg(file);
    let output = run(&mut gpg)?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed("gpg did not sign the checksums", &output).at(file))
}

/// Checks that `gpg` has the private key `key`, or any private key if it is `None`.
pub(crate) fn check_key(key: Option<&str>) -> Result {
    let output = run(Command::new("gpg").args(["--batch", "--list-secret-keys"]).args(key))?;
    // Without any key, gpg succeeds and prints nothing.
    if output.status.success() && !output.stdout.is_empty() {
        return Ok(());
    }
    let what = match key {
        Some(key) => format!("gpg has no private key {key:?}"),
        None => {
            "gpg has no private key; select one with --key, or omit the signature with --no-sign".to_owned()
        }
    };
    Err(failed(&what, &output))
}

/// Verifies the signature of a file with the public keys of `gpg`.
///
/// # Errors
///
/// Returns an error if the signature is not valid, or if it is ASCII-armored, which `gpg` reads, but Terraform and OpenTofu do
/// not.
pub(crate) fn verify(file: &Path, signature: &Path) -> Result<Signature> {
    let content = std::fs::read(signature).map_err(DistError::file(signature))?;
    if !is_binary(&content) {
        let message = "the signature is ASCII-armored or invalid, but Terraform requires a binary OpenPGP signature; sign without \
                       --armor, or convert it: gpg --dearmor";
        return Err(DistError::new(DistErrorKind::Signature, message).at(signature));
    }
    let output =
        run(Command::new("gpg").args(["--batch", "--status-fd", "1", "--verify"]).arg(signature).arg(file))?;
    let status = String::from_utf8_lossy(&output.stdout);
    output
        .status
        .success()
        .then(|| status.lines().find_map(valid_signature))
        .flatten()
        .ok_or_else(|| failed("gpg did not verify the signature", &output).at(signature))
}

/// True if the content starts with the header of an OpenPGP packet, whose first bit is set.
fn is_binary(signature: &[u8]) -> bool {
    signature.first().is_some_and(|it| it & 0x80 != 0)
}

/// Returns the public key in ASCII armor, as both registries expect it.
pub(crate) fn public_key(fingerprint: &str) -> Result<String> {
    let output = run(Command::new("gpg").args(["--batch", "--armor", "--export", fingerprint]))?;
    // Without the key, gpg succeeds and prints nothing.
    if !output.status.success() || output.stdout.is_empty() {
        return Err(failed("gpg did not export the public key", &output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn run(gpg: &mut Command) -> Result<Output> {
    gpg.stdin(Stdio::null()).output().map_err(|error| {
        DistError::new(
            DistErrorKind::Signature,
            format!("cannot run gpg, which signs the checksums: {error}"),
        )
    })
}

fn failed(what: &str, output: &Output) -> DistError {
    let stderr = String::from_utf8_lossy(&output.stderr);
    DistError::new(DistErrorKind::Signature, format!("{what}: {}", stderr.trim().replace('\n', "; ")))
}

/// Parses a line of `--status-fd` about a valid signature.
///
/// The fields after `VALIDSIG` are the fingerprint, the date, the time, the expiry, the version, a reserved field, the
/// public-key algorithm, the hash algorithm, the class, and the fingerprint of the primary key.
fn valid_signature(line: &str) -> Option<Signature> {
    let fields: Vec<&str> = line.strip_prefix("[GNUPG:] VALIDSIG ")?.split(' ').collect();
    let [fingerprint, .., _] = fields[..] else { return None };
    let primary = fields.get(9).unwrap_or(&fingerprint);
    Some(Signature { fingerprint: (*primary).to_owned(), algorithm: fields.get(6)?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armored_signature_is_not_binary() {
        assert!(is_binary(&[0x89, 0x01, 0x33]) && is_binary(&[0xc2, 0xc0]));
        assert!(!is_binary(b"-----BEGIN PGP SIGNATURE-----") && !is_binary(b""));
    }

    #[test]
    fn status_lines_contain_the_primary_key_and_the_algorithm() {
        let line = "[GNUPG:] VALIDSIG 00AA 2026-01-02 1767312000 0 4 0 1 10 00 11BB";
        let signature = valid_signature(line).unwrap();
        assert_eq!(signature, Signature { fingerprint: "11BB".into(), algorithm: 1 });
        assert!(signature.is_accepted_by_terraform_registry());
        let elliptic =
            valid_signature("[GNUPG:] VALIDSIG 00AA 2026-01-02 1767312000 0 4 0 22 10 00 00AA").unwrap();
        assert!(!elliptic.is_accepted_by_terraform_registry());
        for line in ["[GNUPG:] GOODSIG 00AA name", "[GNUPG:] VALIDSIG 00AA 2026-01-02", ""] {
            assert_eq!(valid_signature(line), None);
        }
    }
}
