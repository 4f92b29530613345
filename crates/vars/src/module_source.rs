//! The source addresses of modules in the form in which `terraform init` records them in `modules.json`.
//!
//! | source address | recorded source address |
//! | --- | --- |
//! | `hashicorp/consul/aws//modules/a/` | `registry.terraform.io/hashicorp/consul/aws//modules/a` |
//! | `github.com/hashicorp/example//a?ref=v1` | `git::https://github.com/hashicorp/example.git//a?ref=v1` |
//! | `git@example.com:network.git` | `git::ssh://git@example.com/network.git` |
//! | `git::https://example.com/network.git` | the same |

/// The default registry hosts of Terraform and OpenTofu, which a source address can omit.
const DEFAULT_HOSTS: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// The hosts that cannot be registries, because their source addresses refer to Git repositories.
const GIT_HOSTS: [&str; 3] = ["github.com", "gitlab.com", "bitbucket.org"];

/// Returns true if the source address of a call is the path of a local module.
pub(crate) fn is_local_source(source: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|it| source.starts_with(it))
}

/// Returns true if a recorded source address differs from the source address of a call. If the recorded form of the
/// source address cannot be determined, returns false.
pub(crate) fn has_changed(source: &str, recorded: &str) -> bool {
    let normalized = normalize(source).zip(normalize(recorded));
    source != recorded && normalized.is_some_and(|(source, recorded)| source != recorded)
}

/// Returns true if the source address is that of a registry module.
pub(crate) fn is_registry_source(source: &str) -> bool {
    !is_local_source(source) && normalize_registry_package(split_subdirectory(source).package).is_some()
}

/// Returns the recorded form of a source address; `None` if it cannot be determined. The default registry host is removed
/// from the source addresses of registry modules.
fn normalize(source: &str) -> Option<String> {
    if is_local_source(source) {
        return Some(source.to_owned());
    }
    let SplitSource { package, query, subdirectory } = split_subdirectory(source);
    let (package, nested) = match normalize_registry_package(package).filter(|_| query.is_empty()) {
        Some(it) => (it, String::new()),
        None => normalize_remote_package(package, query)?,
    };
    let subdirectory = clean(&format!("{nested}/{subdirectory}"));
    let separator = if subdirectory.is_empty() { "" } else { "//" };
    Some(format!("{package}{separator}{subdirectory}{query}"))
}

/// A source address such as `git::https://example.com/network.git//a?ref=v1`.
struct SplitSource<'a> {
    /// The source address without the subdirectory and the query.
    package: &'a str,
    /// The query with its question mark; empty if there is none.
    query: &'a str,
    /// The path after `//`; empty if there is none.
    subdirectory: &'a str,
}

fn split_subdirectory(source: &str) -> SplitSource<'_> {
    let (path, query) = source.split_at(source.find('?').unwrap_or(source.len()));
    let start = path.find("://").map_or(0, |it| it + "://".len());
    let (package, subdirectory) = match path[start..].find("//") {
        Some(at) => (&path[..start + at], &path[start + at + "//".len()..]),
        None => (path, ""),
    };
    SplitSource { package, query, subdirectory }
}

/// Normalizes a registry source address; `None` if it is not one.
fn normalize_registry_package(package: &str) -> Option<String> {
    let parts: Vec<&str> = package.split('/').collect();
    let (host, parts) = match *parts {
        [namespace, name, system] => (None, [namespace, name, system]),
        [host, namespace, name, system] => (Some(host), [namespace, name, system]),
        _ => return None,
    };
    let is_name = |it: &str| {
        let is_valid = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
        !it.is_empty() && it.bytes().all(is_valid) && !it.starts_with(['-', '_']) && !it.ends_with(['-', '_'])
    };
    let is_system = parts[2].bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
    if !parts.iter().all(|it| is_name(it)) || !is_system {
        return None;
    }
    let host = host.map(|it| it.strip_suffix(":443").unwrap_or(it).to_ascii_lowercase());
    let is_host = |it: &String| {
        let is_valid = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'-' | b':');
        it.bytes().all(is_valid) && it.contains(['.', ':']) && !GIT_HOSTS.contains(&&**it)
    };
    let parts = parts.join("/");
    match host {
        None => Some(parts),
        Some(host) if DEFAULT_HOSTS.contains(&&*host) => Some(parts),
        Some(host) => is_host(&host).then(|| format!("{host}/{parts}")),
    }
}

/// Returns the recorded form of a package that is not in a registry, and the subdirectory that the package contains; `None`
/// if they cannot be determined.
fn normalize_remote_package(package: &str, query: &str) -> Option<(String, String)> {
    let (getter, address) = match package.split_once("::") {
        Some((getter, address)) => (Some(getter), address),
        None => (None, package),
    };
    if let Some((scheme, _)) = address.split_once("://") {
        let is_valid = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.');
        let is_scheme =
            scheme.starts_with(|it: char| it.is_ascii_alphabetic()) && scheme.chars().all(is_valid);
        return is_scheme.then(|| (package.to_owned(), String::new()));
    }
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | '-' | '/');
    let getter = getter.unwrap_or("git");
    if let Some(path) = address.strip_prefix("github.com/") {
        let (owner, rest) = path.split_once('/')?;
        let (name, nested) = rest.split_once('/').unwrap_or((rest, ""));
        let name = name.strip_suffix(".git").unwrap_or(name);
        // OpenTofu 1.6 and Terraform record these source addresses in different forms.
        if query.contains('/') || !(nested.is_empty() || query.is_empty()) {
            return None;
        }
        let is_complete = path.chars().all(is_plain) && !owner.is_empty() && !name.is_empty();
        return is_complete
            .then(|| (format!("{getter}::https://github.com/{owner}/{name}.git"), nested.to_owned()));
    }
    let (host, path) = address.strip_prefix("git@")?.split_once(':')?;
    let path = path.strip_prefix('/').unwrap_or(path);
    // Terraform sorts and encodes the parameters of these source addresses.
    let is_plain_query = query.chars().skip(1).all(|it| it.is_ascii_alphanumeric() || "._-=".contains(it));
    let is_valid = format!("{host}/{path}").chars().all(is_plain) && is_plain_query;
    is_valid.then(|| (format!("{getter}::ssh://git@{host}/{path}"), String::new()))
}

/// Removes empty components, `.` and `..` from a path.
fn clean(path: &str) -> String {
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/').filter(|it| !matches!(*it, "" | ".")) {
        match (component, components.last()) {
            ("..", Some(last)) if *last != ".." => drop(components.pop()),
            _ => components.push(component),
        }
    }
    components.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terraform 1.11 records these source addresses in this form.
    const RECORDED: &[(&str, &str)] = &[
        ("terraform-aws-modules/vpc/aws", "registry.terraform.io/terraform-aws-modules/vpc/aws"),
        ("terraform-aws-modules/vpc/aws", "registry.opentofu.org/terraform-aws-modules/vpc/aws"),
        ("hashicorp/consul/aws//modules/a/", "registry.terraform.io/hashicorp/consul/aws//modules/a"),
        ("hashicorp/consul/aws//modules/../a", "registry.terraform.io/hashicorp/consul/aws//a"),
        ("App.Terraform.io:443/a/b/c", "app.terraform.io/a/b/c"),
        ("app.terraform.io:8443/a/b/c", "app.terraform.io:8443/a/b/c"),
        ("github.com/hashicorp/example", "git::https://github.com/hashicorp/example.git"),
        ("github.com/hashicorp/example/", "git::https://github.com/hashicorp/example.git"),
        ("github.com/hashicorp/example.git?ref=v1", "git::https://github.com/hashicorp/example.git?ref=v1"),
        ("github.com/hashicorp/example/a//b", "git::https://github.com/hashicorp/example.git//a/b"),
        ("git::github.com/hashicorp/example", "git::https://github.com/hashicorp/example.git"),
        ("git@github.com:a/b.git//c?ref=v1", "git::ssh://git@github.com/a/b.git//c?ref=v1"),
        ("git::git@example.com:/a/b.git", "git::ssh://git@example.com/a/b.git"),
        ("git::https://example.com/a.git//b/./c/?ref=v1", "git::https://example.com/a.git//b/c?ref=v1"),
        ("https://example.com/a//x?archive=zip", "https://example.com/a//x?archive=zip"),
    ];

    #[test]
    fn sources_equal_their_recorded_forms() {
        for (source, recorded) in RECORDED {
            assert!(!has_changed(source, recorded), "{source} {recorded}");
            assert!(has_changed("git::https://example.com/other.git", recorded), "{recorded}");
            assert!(has_changed(source, "./other"), "{source}");
        }
    }

    #[test]
    fn changed_sources_differ() {
        for (source, recorded) in [
            ("a/b/c", "registry.terraform.io/a/b/d"),
            ("a/b/c//x", "registry.terraform.io/a/b/c"),
            ("example.com/a/b/c", "registry.terraform.io/a/b/c"),
            ("github.com/a/b?ref=v2", "git::https://github.com/a/b.git?ref=v1"),
            ("git::https://example.com/a.git//x", "git::https://example.com/a.git//y"),
            ("https://github.com/a/b", "git::https://github.com/a/b.git"),
        ] {
            assert!(has_changed(source, recorded), "{source} {recorded}");
        }
    }

    #[test]
    fn sources_without_a_known_recorded_form_do_not_differ() {
        for source in [
            "bitbucket.org/a/b",
            "s3-eu-west-1.amazonaws.com/bucket/a.zip",
            "www.googleapis.com/storage/v1/modules/a.zip",
            "/modules/network",
            "C:\\modules\\network",
            "user@example.com:a.git",
            "git@github.com:a/b.git?ref=v1&depth=1",
            "git@github.com:a/b.git?ref=a/b",
            "github.com/a/b?ref=a/b",
            "github.com/a/b/c?ref=v1",
            "",
        ] {
            assert!(!has_changed(source, "git::https://example.com/a.git"), "{source}");
        }
    }
}
