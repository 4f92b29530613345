//! The handshake line that a plugin prints to stdout.
//!
//! ```text
//! 1|6|unix|/tmp/plugin1a2b|grpc|MIIB…
//! ```

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use rustls::pki_types::CertificateDer;

use super::error::{PluginError, PluginErrorKind};
use crate::protocol::Protocol;

/// The parsed handshake line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handshake {
    pub(super) protocol: Protocol,
    pub(super) address: Address,
    /// The certificate of the plugin; `None` if it does not use TLS.
    pub(super) certificate: Option<CertificateDer<'static>>,
}

/// The address that the plugin listens at.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Address {
    Unix(PathBuf),
    Tcp(String),
}

impl Handshake {
    /// Parses the line.
    ///
    /// # Errors
    ///
    /// Returns an error if the line has another format, or if it names a version, network or transport that Terraform
    /// does not support.
    pub(super) fn parse(line: &str) -> Result<Handshake, PluginError> {
        let invalid = |reason: String| {
            PluginError::new(PluginErrorKind::Handshake, format!("{reason} in the handshake line {line:?}"))
        };
        let parts: Vec<&str> = line.trim_end().split('|').collect();
        let [version, protocol, network, address, transport, ref rest @ ..] = parts[..] else {
            return Err(invalid("fewer than five fields".to_owned()));
        };
        if version != "1" {
            return Err(invalid(format!("unsupported handshake version {version:?}")));
        }
        let protocol = match protocol {
            "5" => Protocol::V5,
            "6" => Protocol::V6,
            other => return Err(invalid(format!("unsupported protocol version {other:?}"))),
        };
        let address = match network {
            "unix" => Address::Unix(address.into()),
            "tcp" => Address::Tcp(address.to_owned()),
            other => return Err(invalid(format!("unsupported network {other:?}"))),
        };
        if transport != "grpc" {
            return Err(invalid(format!("unsupported transport {transport:?}")));
        }
        let certificate = match rest.first().filter(|it| !it.is_empty()) {
            Some(encoded) => {
                let der = STANDARD_NO_PAD.decode(encoded.trim_end_matches('='));
                Some(der.map_err(|error| invalid(format!("invalid certificate ({error})")))?.into())
            }
            None => None,
        };
        Ok(Handshake { protocol, address, certificate })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handshake_lines_are_parsed() {
        let handshake = Handshake::parse("1|5|tcp|127.0.0.1:1234|grpc|AQID|false\n").unwrap();
        let expected = Handshake {
            protocol: Protocol::V5,
            address: Address::Tcp("127.0.0.1:1234".to_owned()),
            certificate: Some(vec![1, 2, 3].into()),
        };
        assert_eq!(handshake, expected);
        assert_eq!(Handshake::parse("1|6|unix|/tmp/a|grpc").unwrap().certificate, None);
    }

    #[test]
    fn invalid_handshake_lines_are_errors() {
        for (line, expected) in [
            ("hello", "fewer than five fields in the handshake line \"hello\""),
            (
                "2|6|unix|a|grpc|",
                "unsupported handshake version \"2\" in the handshake line \"2|6|unix|a|grpc|\"",
            ),
            (
                "1|4|unix|a|grpc|",
                "unsupported protocol version \"4\" in the handshake line \"1|4|unix|a|grpc|\"",
            ),
            ("1|6|pipe|a|grpc|", "unsupported network \"pipe\" in the handshake line \"1|6|pipe|a|grpc|\""),
            (
                "1|6|unix|a|netrpc|",
                "unsupported transport \"netrpc\" in the handshake line \"1|6|unix|a|netrpc|\"",
            ),
            (
                "1|6|unix|a|grpc|*",
                "invalid certificate (Invalid symbol 42, offset 0.) in the handshake line \"1|6|unix|a|grpc|*\"",
            ),
        ] {
            let error = Handshake::parse(line).unwrap_err();
            assert_eq!((error.kind(), error.to_string().as_str()), (PluginErrorKind::Handshake, expected));
        }
    }
}
