//! The handshake: Terraform and the provider agree on protocol, address and certificate before the first
//! connection.
//!
//! Terraform passes environment variables, and the provider prints one line to stdout:
//!
//! ```text
//! 1|6|unix|/tmp/plugin1a2b|grpc|MIIB…
//! ```
//!
//! The fields are the version of the handshake, the protocol version, the network, the address, the transport and
//! the server's certificate.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::environment::Environment;
use super::listen::Address;

pub(super) const COOKIE_NAME: &str = "TF_PLUGIN_MAGIC_COOKIE";
pub(super) const COOKIE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

/// True if Terraform started this process.
pub(super) fn is_plugin(environment: &dyn Environment) -> bool {
    environment.get(COOKIE_NAME).as_deref() == Some(COOKIE)
}

/// Selects the protocol version to serve from `supported`, which must not be empty: the highest version that Terraform
/// supports too, otherwise the lowest supported one, so that Terraform reports the mismatch.
pub(super) fn negotiate(supported: &[u16], environment: &dyn Environment) -> u16 {
    let listed = environment.get("PLUGIN_PROTOCOL_VERSIONS").unwrap_or_default();
    let mut offered = Vec::new();
    for entry in listed.split(',').filter(|entry| !entry.is_empty()) {
        match entry.parse::<u16>() {
            Ok(version) => offered.push(version),
            Err(_) => eprintln!("ignoring \"{entry}\" in PLUGIN_PROTOCOL_VERSIONS: it is not a number"),
        }
    }
    let common = supported.iter().copied().filter(|version| offered.contains(version)).max();
    common.or(supported.iter().copied().min()).unwrap_or_default()
}

/// The handshake line.
pub(super) fn line(
    protocol: u16,
    address: &Address,
    certificate: Option<&[u8]>,
    environment: &dyn Environment,
) -> String {
    let certificate = certificate.map(|der| STANDARD_NO_PAD.encode(der)).unwrap_or_default();
    let mut line = format!("1|{protocol}|{}|{}|grpc|{certificate}", address.network(), address.string());
    // Terraform reads a seventh field only if it sets the variable: whether brokered connections are multiplexed.
    // They are not supported.
    if environment.get("PLUGIN_MULTIPLEX_GRPC").is_some() {
        line.push_str("|false");
    }
    line
}

/// The files of the CLI configuration.
const CLI_CONFIG: &str = if cfg!(windows) {
    r"%APPDATA%\terraform.rc or %APPDATA%\tofu.rc"
} else {
    "~/.terraformrc or ~/.tofurc"
};

/// The explanation for a user who runs the provider directly. `directory` is the directory of the executable.
pub(super) fn explanation(address: &str, directory: &str) -> String {
    let source = address.strip_prefix("registry.terraform.io/").unwrap_or(address);
    format!(
        "\
This program is the provider {address} for Terraform and OpenTofu. They start it when they need it;
it is not meant to be run directly.

To use this build, add its directory to the CLI configuration ({CLI_CONFIG}):

  provider_installation {{
    dev_overrides {{
      {source:?} = {directory:?}
    }}
    direct {{}}
  }}

To use it under a debugger, start it with --debug: it prints a variable to set before terraform or
tofu is run. --debug-env-file PATH writes the variable to a file too.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<const N: usize> Environment for [(&str, &str); N] {
        fn names(&self) -> Vec<String> {
            self.iter().map(|(name, _)| (*name).to_owned()).collect()
        }

        fn get(&self, name: &str) -> Option<String> {
            let value = self.iter().find(|(key, value)| *key == name && !value.is_empty());
            value.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn process_is_a_plugin_only_with_the_exact_cookie() {
        assert!(is_plugin(&[(COOKIE_NAME, COOKIE)]));
        assert!(!is_plugin(&[(COOKIE_NAME, "d602")]));
        assert!(!is_plugin(&[]));
    }

    #[test]
    fn negotiation_selects_the_highest_common_version_or_the_lowest_supported_one() {
        for (supported, offered, expected) in [
            (&[5, 6][..], "5,6", 6),
            (&[5, 6], "6,5", 6),
            (&[5, 6], "5", 5),
            (&[5, 6], "4,x,5,,7", 5),
            (&[5, 6], "7", 5),
            (&[5, 6], "", 5),
            (&[6], "5,6", 6),
            (&[6], "5", 6),
            (&[5], "5,6", 5),
            (&[5], "6", 5),
        ] {
            let versions = negotiate(supported, &[("PLUGIN_PROTOCOL_VERSIONS", offered)]);
            assert_eq!(versions, expected, "{supported:?} and {offered:?}");
        }
        assert_eq!(negotiate(&[6], &[]), 6);
    }

    #[test]
    fn handshake_line_contains_address_and_certificate() {
        let address = Address::Unix("/tmp/plugin1".into());
        assert_eq!(line(6, &address, None, &[]), "1|6|unix|/tmp/plugin1|grpc|");
        let address = Address::Tcp("127.0.0.1:123".parse().unwrap());
        assert_eq!(line(5, &address, Some(b"\xff\xfe"), &[]), "1|5|tcp|127.0.0.1:123|grpc|//4");
        let multiplex = [("PLUGIN_MULTIPLEX_GRPC", "true")];
        assert_eq!(line(5, &address, None, &multiplex), "1|5|tcp|127.0.0.1:123|grpc||false");
    }
}
