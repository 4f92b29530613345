//! Debug mode: the developer starts the provider, under a debugger perhaps, and tells the host where it is.

use std::path::Path;
use std::{fs, process};

use ferroform_value::{Number, Value, json};

use super::error::Error;
use super::listen::Address;

const VARIABLE: &str = "TF_REATTACH_PROVIDERS";
/// Where each of the two programs looks for a provider whose source names no host.
const REGISTRIES: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// The variable's value: where the provider is, under each of the addresses that mean it.
pub(super) fn reattach(provider: &str, protocol: u16, address: &Address) -> String {
    let target = Value::object([
        ("Protocol", Value::string("grpc")),
        ("ProtocolVersion", Number::from(protocol).into()),
        ("Pid", Number::from(process::id()).into()),
        ("Test", true.into()),
        (
            "Addr",
            Value::object([
                ("Network", Value::string(address.network())),
                ("String", Value::string(address.text())),
            ]),
        ),
    ]);
    let mut addresses = vec![provider.to_owned()];
    if let Some(name) = REGISTRIES.iter().find_map(|registry| provider.strip_prefix(registry)) {
        addresses = REGISTRIES.iter().map(|registry| format!("{registry}{name}")).collect();
    }
    let all = Value::object(addresses.iter().map(|it| (it.as_str(), target.clone())));
    // All of it is known, so that there is nothing that JSON cannot hold.
    String::from_utf8_lossy(&json::encode_simple(&all).unwrap_or_default()).into_owned()
}

/// What the developer reads.
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

/// For editors and shells that read variables from a file.
pub(super) fn write_file(path: &Path, value: &str) -> Result<(), Error> {
    let what = format!("cannot write {}", path.display());
    fs::write(path, assignment(value) + "\n").map_err(Error::context(what))
}

fn assignment(value: &str) -> String {
    format!("{VARIABLE}='{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_for_both_programs() {
        let address = Address::Unix("/tmp/plugin1".into());
        let target = format!(
            r#"{{"Addr":{{"Network":"unix","String":"/tmp/plugin1"}},"Pid":{},"Protocol":"grpc","ProtocolVersion":6,"Test":true}}"#,
            process::id()
        );
        assert_eq!(
            reattach("registry.opentofu.org/acme/disk", 6, &address),
            format!(
                r#"{{"registry.opentofu.org/acme/disk":{target},"registry.terraform.io/acme/disk":{target}}}"#
            )
        );
        assert_eq!(
            reattach("acme.example/acme/disk", 6, &address),
            format!(r#"{{"acme.example/acme/disk":{target}}}"#)
        );
    }
}
