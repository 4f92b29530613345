//! The addresses of providers.

/// The registries of Terraform and OpenTofu.
const REGISTRIES: [&str; 2] = ["registry.terraform.io/", "registry.opentofu.org/"];

/// The type of a provider, which is the last part of its address: `local`.
pub(crate) fn provider_type(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or_default()
}

/// Returns the addresses by which Terraform and OpenTofu find the provider: without a hostname in `source`, each of them
/// searches its own registry.
pub(super) fn equal_addresses(address: &str) -> Vec<String> {
    let name = REGISTRIES.iter().find_map(|it| address.strip_prefix(it));
    match name {
        Some(name) => REGISTRIES.iter().map(|it| format!("{it}{name}")).collect(),
        None => vec![address.to_owned()],
    }
}
