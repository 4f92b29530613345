//! Unit tests of the provider in process.

mod certificates;
mod data_source;
mod keys;
mod server;
mod stored_states;

use std::fs;
use std::process::Command;

use ferroform::path;
use ferroform::value::Path;
use ferroform_testing::{Harness, Instance, ProviderCheck, SchemaLock, config};
use tempfile::TempDir;

use crate::Tls;

/// A key or a certificate exists only in the state, so it can still be read after `delete`.
fn harness() -> Harness {
    Harness::start::<Tls>(config! {})
}

fn string(instance: &Instance, name: &str) -> String {
    instance.state().get(Path::attribute(name))
}

/// Returns a new private key of an algorithm that is fast.
fn key(harness: &Harness) -> String {
    let mut key = harness.resource("tls_private_key");
    key.apply(config! { algorithm = "ECDSA", ecdsa_curve = "P256" });
    string(&key, "private_key_pem")
}

/// A directory in which other programs read the output of the provider.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }

    /// Runs a command line, such as one of OpenSSL, and returns its standard output.
    fn run(&self, command: &str) -> String {
        let mut words = command.split(' ');
        let output =
            Command::new(words.next().unwrap()).args(words).current_dir(self.0.path()).output().unwrap();
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command}: {stdout}{stderr}");
        stdout.into_owned()
    }
}

#[test]
fn stored_states_remain_readable() {
    SchemaLock::of::<Tls>().check("schemas.lock");
}

#[test]
fn provider_violates_no_invariant() {
    let harness = harness();
    let key = key(&harness);
    let mut request = harness.resource("tls_cert_request");
    request.apply(config! { private_key_pem = &*key });
    let mut authority = harness.resource("tls_self_signed_cert");
    authority.apply(config! {
        private_key_pem = &*key, validity_period_hours = 87600, is_ca_certificate = true,
        allowed_uses = ["cert_signing"], subject { common_name = "CA" },
    });
    let authority = string(&authority, "cert_pem");
    // A plan must not depend on the hour of the check: none of these certificates expires or is renewed during it.
    let hours = || [8760, 17520];
    ProviderCheck::<Tls>::new()
        // Generating larger keys takes too long.
        .values("tls_private_key", path!(rsa_bits), [1024])
        .example("tls_cert_request", config! { private_key_pem = &*key })
        .example("tls_self_signed_cert", config! { private_key_pem = &*key, validity_period_hours = 8760 })
        .values("tls_self_signed_cert", path!(validity_period_hours), hours())
        .values("tls_self_signed_cert", path!(early_renewal_hours), [0, 100])
        // Without a subject, they would be invalid.
        .values("tls_self_signed_cert", path!(is_ca_certificate), [false])
        .values("tls_self_signed_cert", path!(set_subject_key_id), [true])
        .example(
            "tls_locally_signed_cert",
            config! {
                ca_cert_pem = &*authority, ca_private_key_pem = &*key,
                cert_request_pem = string(&request, "cert_request_pem"), validity_period_hours = 8760,
            },
        )
        .values("tls_locally_signed_cert", path!(ca_cert_pem), [&*authority])
        .values("tls_locally_signed_cert", path!(ca_private_key_pem), [&*key])
        .values("tls_locally_signed_cert", path!(validity_period_hours), hours())
        .values("tls_locally_signed_cert", path!(early_renewal_hours), [0, 100])
        .values("tls_locally_signed_cert", path!(is_ca_certificate), [false])
        .example("tls_public_key", config! { private_key_pem = &*key })
        .example("tls_certificate", config! { content = &*authority })
        .run();
}
