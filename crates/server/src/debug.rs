//! Debug mode: the developer starts the provider, for example under a debugger, and Terraform reattaches to it.
//!
//! The provider prints a variable for the shell in which Terraform runs:
//!
//! ```text
//! TF_REATTACH_PROVIDERS='{"registry.terraform.io/acme/disk":{"Protocol":"grpc","ProtocolVersion":6,"Pid":4711,
//!     "Test":true,"Addr":{"Network":"unix","String":"/tmp/plugin1a2b"}}}'
//! ```
//!
//! There is no TLS, and Terraform does not end the process.

use std::path::Path;
use std::{fs, process};

use ferroform_value::{Number, Value, json};

use super::error::Error;
use super::listen::Address;

const VARIABLE: &str = "TF_REATTACH_PROVIDERS";
/// The default registries of Terraform and OpenTofu, which a source address without a hostname refers to.
const REGISTRIES: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// The value of the variable: how to reach the provider, for each source address that refers to it.
pub(super) fn reattach_variable(provider: &str, protocol: u16, address: &Address) -> String {
    let target = Value::object([
        ("Protocol", Value::string("grpc")),
        ("ProtocolVersion", Number::from(protocol).into()),
        ("Pid", Number::from(process::id()).into()),
        ("Test", true.into()),
        (
            "Addr",
            Value::object([
                ("Network", Value::string(address.network())),
                ("String", Value::string(address.string())),
            ]),
        ),
    ]);
    let mut addresses = vec![provider.to_owned()];
    if let Some(name) = REGISTRIES.iter().find_map(|registry| provider.strip_prefix(registry)) {
        addresses = REGISTRIES.iter().map(|registry| format!("{registry}{name}")).collect();
    }
    let all = Value::object(addresses.iter().map(|it| (it.as_str(), target.clone())));
    // All values are known, so JSON can represent them.
    String::from_utf8_lossy(&json::encode_simple(&all).unwrap_or_default()).into_owned()
}

/// The instructions for the developer.
pub(super) fn instructions(value: &str) -> String {
    let assignment = assignment(value);
    format!(
        "\
The provider runs, as process {}, until it is interrupted (Ctrl-C).
Set this variable where you run terraform or tofu:

export {assignment}

In PowerShell: $env:{assignment}
",
        process::id()
    )
}

/// Writes the variable to a file, for editors and shells that read variables from one.
pub(super) fn write_file(path: &Path, value: &str) -> Result<(), Error> {
    let message = format!("cannot write {}", path.display());
    fs::write(path, assignment(value) + "\n").map_err(Error::context(message))
}

fn assignment(value: &str) -> String {
    format!("{VARIABLE}='{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_contains_the_addresses_of_both_registries() {
        let address = Address::Unix("/tmp/plugin1".into());
        let target = format!(
            r#"{{"Addr":{{"Network":"unix","String":"/tmp/plugin1"}},"Pid":{},"Protocol":"grpc","ProtocolVersion":6,"Test":true}}"#,
            process::id()
        );
        assert_eq!(
            reattach_variable("registry.opentofu.org/acme/disk", 6, &address),
            format!(
                r#"{{"registry.opentofu.org/acme/disk":{target},"registry.terraform.io/acme/disk":{target}}}"#
            )
        );
        assert_eq!(
            reattach_variable("acme.example/acme/disk", 6, &address),
            format!(r#"{{"acme.example/acme/disk":{target}}}"#)
        );
    }
}
