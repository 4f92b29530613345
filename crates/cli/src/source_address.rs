//! Source addresses of providers, such as `registry.terraform.io/hashicorp/random`.
//!
//! `registry.terraform.io/acme/disk` and `registry.opentofu.org/acme/disk` are the same provider, because both are
//! `acme/disk` in a configuration:
//!
//! ```text
//! acme/disk ─▶ Terraform ─▶ registry.terraform.io/acme/disk
//!           └▶ OpenTofu  ─▶ registry.opentofu.org/acme/disk
//! ```

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The default registry of Terraform.
pub(crate) const TERRAFORM_REGISTRY: &str = "registry.terraform.io";
/// The default registries. A source address without a hostname refers to the one of the program that reads it.
const DEFAULT_REGISTRIES: [&str; 2] = [TERRAFORM_REGISTRY, "registry.opentofu.org"];

/// Returns the address as it is in a configuration: without the host of a default registry.
pub(crate) fn without_default_registry(address: &str) -> &str {
    namespace_and_type(address).unwrap_or(address)
}

/// Returns the addresses by which Terraform and OpenTofu find the provider.
pub(crate) fn equal_addresses(address: &str) -> Vec<String> {
    match namespace_and_type(address) {
        Some(name) => DEFAULT_REGISTRIES.iter().map(|host| format!("{host}/{name}")).collect(),
        None => vec![address.to_owned()],
    }
}

/// True if both addresses refer to the same provider, in Terraform or in OpenTofu.
pub(crate) fn is_same_provider(first: &str, second: &str) -> bool {
    let name = |address: &str| without_default_registry(address).to_lowercase();
    name(first) == name(second)
}

/// Returns the provider type, the last part of an address: `disk`.
pub(crate) fn provider_type(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or(address)
}

/// The address without its host; `None` if the host is not a default registry.
fn namespace_and_type(address: &str) -> Option<&str> {
    DEFAULT_REGISTRIES.iter().find_map(|host| address.strip_prefix(host)?.strip_prefix('/'))
}

/// A valid source address, with all three parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    host: String,
    namespace: String,
    name: String,
}

impl Address {
    pub(crate) fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the type of the provider, which is the last part.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the directories of a provider mirror: one, or one for each default registry.
    pub(crate) fn mirror_directories(&self) -> Vec<PathBuf> {
        equal_addresses(&self.to_string()).iter().map(|it| it.split('/').collect()).collect()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.host, self.namespace, self.name)
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(address: &str) -> Result<Address, String> {
        let parts: Vec<&str> = address.split('/').collect();
        // The parts become names of directories.
        let is_valid = |it: &&str| {
            it.starts_with(|it: char| it.is_alphanumeric())
                && it.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | ':'))
        };
        let (host, namespace, name) = match parts[..] {
            [host, namespace, name] => (host, namespace, name),
            [namespace, name] => (TERRAFORM_REGISTRY, namespace, name),
            _ => return Err("expected the form HOSTNAME/NAMESPACE/TYPE or NAMESPACE/TYPE".into()),
        };
        match parts.iter().find(|it| !is_valid(it)) {
            Some(part) => Err(format!("{part:?} is not a hostname, namespace or type")),
            None => Ok(Address { host: host.into(), namespace: namespace.into(), name: name.into() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [&str; 2] = ["registry.terraform.io/acme/disk", "registry.opentofu.org/acme/disk"];

    #[test]
    fn addresses_of_both_registries_are_equal() {
        assert_eq!(equal_addresses(BOTH[0]), BOTH);
        assert_eq!(equal_addresses(BOTH[1]), BOTH);
        assert_eq!(equal_addresses("acme.example/acme/disk"), ["acme.example/acme/disk"]);
        assert!(is_same_provider("acme/disk", BOTH[1]));
        assert!(is_same_provider(BOTH[0], BOTH[1]));
        assert!(!is_same_provider("acme.example/acme/disk", BOTH[0]));
        assert_eq!(provider_type(BOTH[0]), "disk");
        assert_eq!(without_default_registry(BOTH[1]), "acme/disk");
        assert_eq!(without_default_registry("acme.example/acme/disk"), "acme.example/acme/disk");
    }

    #[test]
    fn addresses_of_default_registries_have_two_mirror_directories() {
        let directories = |it: &str| -> Vec<String> {
            let directories = it.parse::<Address>().unwrap().mirror_directories();
            directories.iter().map(|it| it.to_str().unwrap().replace('\\', "/")).collect()
        };
        for address in ["acme/disk", BOTH[0], BOTH[1]] {
            assert_eq!(directories(address), BOTH);
        }
        assert_eq!(
            directories("terraform.example.com:8443/acme/disk"),
            ["terraform.example.com:8443/acme/disk"]
        );
        for address in ["", "disk", "a/b/c/d", "../acme/disk", "a//c", "a/b c"] {
            assert!(address.parse::<Address>().is_err(), "{address}");
        }
    }
}
