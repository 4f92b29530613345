//! The source address of a provider, such as `registry.terraform.io/hashicorp/random`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The default registries of Terraform and OpenTofu. A source address without a hostname refers to the one of the CLI.
const REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// A source address with all three parts.
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

    /// Returns the folders of a provider mirror: one, or one for each default registry.
    pub(crate) fn mirror_folders(&self) -> Vec<PathBuf> {
        let hosts =
            if REGISTRIES.contains(&self.host.as_str()) { &REGISTRIES[..] } else { &[self.host.as_str()] };
        hosts
            .iter()
            .map(|host| [host, self.namespace.as_str(), self.name.as_str()].iter().collect())
            .collect()
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
        // The parts become names of folders.
        let is_valid = |it: &&str| {
            it.starts_with(|it: char| it.is_alphanumeric())
                && it.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | ':'))
        };
        let (host, namespace, name) = match parts[..] {
            [host, namespace, name] => (host, namespace, name),
            [namespace, name] => (REGISTRIES[0], namespace, name),
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

    #[test]
    fn addresses_of_default_registries_have_two_mirror_folders() {
        let folders = |it: &str| -> Vec<String> {
            let folders = it.parse::<Address>().unwrap().mirror_folders();
            folders.iter().map(|it| it.to_str().unwrap().replace('\\', "/")).collect()
        };
        let both = ["registry.terraform.io/acme/disk", "registry.opentofu.org/acme/disk"];
        for address in ["acme/disk", both[0], both[1]] {
            assert_eq!(folders(address), both);
        }
        assert_eq!(folders("terraform.example.com:8443/acme/disk"), ["terraform.example.com:8443/acme/disk"]);
        for address in ["", "disk", "a/b/c/d", "../acme/disk", "a//c", "a/b c"] {
            assert!(address.parse::<Address>().is_err(), "{address}");
        }
    }
}
