//! Source addresses of providers.

/// The registries of Terraform and OpenTofu. A source address without a host refers to the registry of the program that
/// reads it.
const REGISTRIES: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// Returns the addresses by which Terraform and OpenTofu find the provider.
///
/// `registry.terraform.io/example/notes` is also `registry.opentofu.org/example/notes`, because both are
/// `example/notes` in a configuration.
pub(super) fn equal_addresses(address: &str) -> Vec<String> {
    match without_registry(address) {
        Some(name) => REGISTRIES.iter().map(|it| format!("{it}{name}")).collect(),
        None => vec![address.to_owned()],
    }
}

/// Returns true if both addresses refer to the same provider, in Terraform or in OpenTofu.
pub(super) fn is_same_provider(first: &str, second: &str) -> bool {
    let name = |address: &str| without_registry(address).unwrap_or(address).to_lowercase();
    name(first) == name(second)
}

/// Returns the provider type, the last part of an address: `notes`.
pub(super) fn provider_type(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or(address)
}

fn without_registry(address: &str) -> Option<&str> {
    REGISTRIES.iter().find_map(|it| address.strip_prefix(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_both_registries_are_equal() {
        let both = ["registry.terraform.io/acme/disk", "registry.opentofu.org/acme/disk"];
        assert_eq!(equal_addresses(both[0]), both);
        assert_eq!(equal_addresses(both[1]), both);
        assert_eq!(equal_addresses("acme.example/acme/disk"), ["acme.example/acme/disk"]);
        assert!(is_same_provider("acme/disk", both[1]));
        assert!(is_same_provider(both[0], both[1]));
        assert!(!is_same_provider("acme.example/acme/disk", both[0]));
        assert_eq!(provider_type(both[0]), "disk");
    }
}
