//! The name and the source address of a provider.

use std::fmt;
use std::str::FromStr;

use crate::source_address::TERRAFORM_REGISTRY;

const PREFIX: &str = "terraform-provider-";

/// The name of a provider, which is the last part of its source address and the first part of its resource types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProviderName(String);

impl ProviderName {
    /// Returns the name of the package, of its binary and of the repository: `terraform-provider-big-cloud`.
    pub(super) fn package(&self) -> String {
        format!("{PREFIX}{}", self.0)
    }

    /// Returns the name of the library: `terraform_provider_big_cloud`.
    pub(super) fn library(&self) -> String {
        self.package().replace('-', "_")
    }

    /// Returns the prefix of environment variables: `BIG_CLOUD`.
    pub(super) fn variable(&self) -> String {
        self.0.to_uppercase().replace('-', "_")
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ProviderName {
    type Err = String;

    /// A name must be a part of a source address, and an identifier in a configuration. The name cannot conflict with a
    /// keyword of Rust, because all identifiers with the name have a prefix.
    fn from_str(name: &str) -> Result<ProviderName, String> {
        if let Some(short) = name.strip_prefix(PREFIX)
            && short.parse::<ProviderName>().is_ok()
        {
            return Err(format!("omit the prefix \"terraform-provider-\"; did you mean {short:?}?"));
        }
        // Terraform rejects the prefix in an address.
        if name == "terraform" || name.starts_with("terraform-") {
            return Err("Terraform reserves names that begin with \"terraform\"".into());
        }
        if name.starts_with(|it: char| it.is_ascii_digit()) {
            return Err("a resource type cannot begin with a digit".into());
        }
        check_part(name)?;
        Ok(ProviderName(name.to_owned()))
    }
}

/// Checks a namespace or a name, as the registries do.
fn check_part(part: &str) -> Result<(), String> {
    if part.is_empty() {
        return Err("a name is required".into());
    }
    if part.chars().any(|it| it.is_ascii_uppercase()) {
        return Err(format!("lowercase letters are required; did you mean {:?}?", part.to_lowercase()));
    }
    if let Some(other) = part.chars().find(|it| !matches!(it, 'a'..='z' | '0'..='9' | '-')) {
        return Err(format!("lowercase letters, digits and hyphens are allowed, but not {other:?}"));
    }
    if part.starts_with('-') || part.ends_with('-') || part.contains("--") {
        return Err("hyphens are allowed only between letters or digits".into());
    }
    Ok(())
}

/// Returns the address with all three parts.
///
/// # Errors
///
/// Returns a message if a part is invalid, or if the last part is not the name.
pub(super) fn address(address: &str, name: &ProviderName) -> Result<String, String> {
    let parts: Vec<&str> = address.split('/').collect();
    let (host, namespace, last) = match parts[..] {
        [host, namespace, last] => (host, namespace, last),
        [namespace, last] => (TERRAFORM_REGISTRY, namespace, last),
        _ => return Err("expected the form NAMESPACE/NAME or HOSTNAME/NAMESPACE/NAME".into()),
    };
    check_part(namespace)?;
    if last != name.0 {
        return Err(format!("the last part must be the name {:?}", name.0));
    }
    let is_host_character = |it: char| matches!(it, 'a'..='z' | '0'..='9' | '-' | '.' | ':');
    if !host.contains('.') || !host.chars().all(is_host_character) {
        return Err(format!("{host:?} is not a hostname such as {TERRAFORM_REGISTRY:?}"));
    }
    Ok(format!("{host}/{namespace}/{last}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_names_are_rejected_with_the_reason() {
        let error = |name: &str| name.parse::<ProviderName>().unwrap_err();
        for (name, message) in [
            ("", "a name is required"),
            ("Notes", "lowercase letters are required; did you mean \"notes\"?"),
            ("my_notes", "lowercase letters, digits and hyphens are allowed, but not '_'"),
            ("../notes", "lowercase letters, digits and hyphens are allowed, but not '.'"),
            ("nötes", "lowercase letters, digits and hyphens are allowed, but not 'ö'"),
            ("-notes", "hyphens are allowed only between letters or digits"),
            ("notes-", "hyphens are allowed only between letters or digits"),
            ("my--notes", "hyphens are allowed only between letters or digits"),
            ("3scale", "a resource type cannot begin with a digit"),
            ("terraform", "Terraform reserves names that begin with \"terraform\""),
            ("terraform-notes", "Terraform reserves names that begin with \"terraform\""),
            ("terraform-provider-notes", "omit the prefix \"terraform-provider-\"; did you mean \"notes\"?"),
        ] {
            assert_eq!(error(name), message, "{name}");
        }
    }

    #[test]
    fn names_are_derived_from_the_name_of_the_provider() {
        let name: ProviderName = "big-cloud2".parse().unwrap();
        assert_eq!(name.package(), "terraform-provider-big-cloud2");
        assert_eq!(name.library(), "terraform_provider_big_cloud2");
        assert_eq!(name.variable(), "BIG_CLOUD2");
    }

    #[test]
    fn addresses_have_three_parts() {
        let name: ProviderName = "notes".parse().unwrap();
        let full = |it: &str| address(it, &name);
        assert_eq!(full("acme/notes").unwrap(), "registry.terraform.io/acme/notes");
        let private = full("terraform.example.com:8443/acme/notes").unwrap();
        assert_eq!(private, "terraform.example.com:8443/acme/notes");
        assert!(full("registry.opentofu.org/acme/notes").is_ok());
        for it in ["notes", "acme/disk", "Acme/notes", "localhost/acme/notes", "a/b/c/notes", "/notes"] {
            assert!(full(it).is_err(), "{it}");
        }
    }
}
