//! The texts with which a provider is submitted to the registry of OpenTofu.

use std::fmt::Write as _;

use crate::source_address::Address;

/// Returns the instructions for the two submissions: the provider, and the key that signs its releases.
///
/// The registry of OpenTofu has no user accounts. Submissions are issues in its repository.
pub(crate) fn text(address: &Address, public_key: Option<&str>) -> String {
    let (namespace, name) = (address.namespace(), address.name());
    let mut text = format!(
        "\
The OpenTofu Registry accepts submissions as issues of https://github.com/opentofu/registry.

1. Choose the issue form \"Submit new Provider\". The field:

Provider Repository:
{namespace}/terraform-provider-{name}
"
    );
    match public_key {
        Some(key) => {
            let _ = write!(
                text,
                "\n2. Choose the issue form \"Submit new Provider Signing Key\". The fields:\n\n\
                 Provider Namespace:\n{namespace}\n\nProvider Name:\n{name}\n\nProvider GPG Key:\n{key}"
            );
        }
        None => text.push_str("\n2. The release is not signed, so there is no key to submit.\n"),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_contains_the_repository_and_the_key() {
        let address = "registry.terraform.io/acme/disk".parse().unwrap();
        let signed = text(&address, Some("-----BEGIN PGP PUBLIC KEY BLOCK-----\n"));
        assert!(signed.contains("\nacme/terraform-provider-disk\n"), "{signed}");
        assert!(signed.ends_with("Provider GPG Key:\n-----BEGIN PGP PUBLIC KEY BLOCK-----\n"), "{signed}");
        assert!(text(&address, None).ends_with("no key to submit.\n"));
    }
}
