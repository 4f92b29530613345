//! Debug mode: the developer starts the provider, under a debugger perhaps, and tells the host where it is.

use std::path::Path;
use std::{fs, process};

use super::error::Error;
use super::json::quoted;
use super::listen::Address;

const VARIABLE: &str = "TF_REATTACH_PROVIDERS";
/// Where each of the two programs looks for a provider whose source names no host.
const REGISTRIES: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// The variable's value: where the provider is, under each of the addresses that mean it.
pub(super) fn reattach(provider: &str, protocol: u16, address: &Address) -> String {
    let target = format!(
        r#"{{"Protocol":"grpc","ProtocolVersion":{protocol},"Pid":{},"Test":true,"Addr":{{"Network":{},"String":{}}}}}"#,
        process::id(),
        quoted(address.network()),
        quoted(&address.text()),
    );
    let mut addresses = vec![provider.to_owned()];
    if let Some(name) = REGISTRIES.iter().find_map(|registry| provider.strip_prefix(registry)) {
        addresses = REGISTRIES.iter().map(|registry| format!("{registry}{name}")).collect();
    }
    let entries: Vec<_> = addresses.iter().map(|address| format!("{}:{target}", quoted(address))).collect();
    format!("{{{}}}", entries.join(","))
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
            r#"{{"Protocol":"grpc","ProtocolVersion":6,"Pid":{},"Test":true,"Addr":{{"Network":"unix","String":"/tmp/plugin1"}}}}"#,
            process::id()
        );
        assert_eq!(
            reattach("registry.opentofu.org/acme/disk", 6, &address),
            format!(
                r#"{{"registry.terraform.io/acme/disk":{target},"registry.opentofu.org/acme/disk":{target}}}"#
            )
        );
        assert_eq!(
            reattach("acme.example/acme/disk", 6, &address),
            format!(r#"{{"acme.example/acme/disk":{target}}}"#)
        );
    }
}
