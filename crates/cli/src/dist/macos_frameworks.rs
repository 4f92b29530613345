//! Explains link errors for missing macOS frameworks.
//!
//! zig contains the C library of macOS, but no frameworks, because their license does not permit it. Only the linker's
//! error message states which framework is missing. It determines nothing except the explanation: the build has failed in
//! any case, and Cargo has printed the message.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

/// What linkers print before and after the name of a missing framework: two versions of zig, and two of Apple's linker.
const MESSAGES: [(&str, &str); 4] = [
    ("unable to find system framework \"", "\""),
    ("unable to find framework '", "'"),
    ("framework not found ", "\n"),
    ("framework '", "' not found"),
];

/// Returns the names of the frameworks that the linker did not find.
fn find_missing_frameworks(messages: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (before, after) in MESSAGES {
        for (start, _) in messages.match_indices(before) {
            let rest = &messages[start + before.len()..];
            let name = rest.split_once(after).map_or(rest, |(name, _)| name).trim();
            if !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') {
                names.insert(name);
            }
        }
    }
    names
}

/// Explains which frameworks the linker does not find, and what to do. Returns `None` if its messages name no framework.
///
/// The explanation contains the dependency that links each framework, if it is found.
pub(crate) fn explain_missing_frameworks(
    messages: &str,
    package: &str,
    triple: &str,
    directory: &Path,
) -> Option<String> {
    let frameworks = find_missing_frameworks(messages);
    if frameworks.is_empty() {
        return None;
    }
    let graph = Graph::read(triple, directory);
    let mut explanation = String::new();
    for framework in frameworks {
        let _ = write!(explanation, "\n  the linker cannot find the macOS framework {framework}");
        let paths = graph.iter().flat_map(|it| it.paths_to(package, |it| it.links(framework)));
        for path in paths {
            let _ = write!(explanation, "\n    required by: {}", path.join(" -> "));
        }
    }
    explanation.push_str(
        "\n  Build the binary on macOS and add it with --prebuilt, set SDKROOT to the directory of a macOS SDK, replace the \
         dependency, or disable the feature that requires it.",
    );
    Some(explanation)
}

/// The dependencies of a workspace for one target, as `cargo metadata` prints them.
#[derive(Deserialize)]
struct Graph {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None` for the dependencies that are linked.
    kind: Option<String>,
}

impl Graph {
    /// Returns `None` on every error: the explanation is useful without dependencies.
    fn read(triple: &str, directory: &Path) -> Option<Graph> {
        let output = Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", triple])
            .current_dir(directory)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        serde_json::from_slice(&output.stdout).ok()
    }

    /// Returns the shortest path from a package to each dependency with a property.
    fn paths_to(&self, package: &str, has_property: impl Fn(&Package) -> bool) -> Vec<Vec<&str>> {
        let packages: BTreeMap<&str, &Package> = self.packages.iter().map(|it| (&*it.id, it)).collect();
        let nodes: BTreeMap<&str, &Node> = self.resolve.nodes.iter().map(|it| (&*it.id, it)).collect();
        let Some(root) = self.packages.iter().find(|it| it.name == package) else { return Vec::new() };
        let mut paths = Vec::new();
        let mut visited = BTreeSet::from([&*root.id]);
        let mut queue = VecDeque::from([(&*root.id, vec![&*root.name])]);
        while let Some((id, path)) = queue.pop_front() {
            if packages.get(id).is_some_and(|it| has_property(it)) {
                paths.push(path);
                continue;
            }
            let dependencies = nodes.get(id).into_iter().flat_map(|it| &it.deps);
            for dependency in dependencies.filter(|it| it.dep_kinds.iter().any(|it| it.kind.is_none())) {
                let Some(package) = packages.get(&*dependency.pkg) else { continue };
                if visited.insert(&package.id) {
                    queue.push_back((&package.id, [&path[..], &[&package.name]].concat()));
                }
            }
        }
        paths
    }
}

impl Package {
    /// True if the sources contain the attribute, or the output of a build script, that links a framework.
    fn links(&self, framework: &str) -> bool {
        let Some(directory) = self.manifest_path.parent() else { return false };
        let attribute = format!("name = \"{framework}\"");
        let output = format!("framework={framework}");
        let links = |source: &str| {
            source.contains(&output) || source.contains(&attribute) && source.contains("kind = \"framework\"")
        };
        let mut pending = vec![directory.join("src")];
        let mut files = vec![directory.join("build.rs")];
        while let Some(directory) = pending.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(it) if it.is_dir() => pending.push(path),
                    _ if path.extension().is_some_and(|it| it == "rs") => files.push(path),
                    _ => {}
                }
            }
        }
        files.iter().any(|it| fs::read_to_string(it).is_ok_and(|it| links(&it)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_frameworks_are_found_in_linker_messages() {
        for (messages, expected) in [
            (
                "error: unable to find system framework \"SystemConfiguration\". searched paths: none\n\
                 error: unable to find system framework \"CoreFoundation\". searched paths: none\n",
                &["CoreFoundation", "SystemConfiguration"][..],
            ),
            ("error: unable to find framework 'Security'. searched paths: none\n", &["Security"]),
            ("ld: framework not found Security\nclang: error\n", &["Security"]),
            ("ld: framework 'Security' not found\n", &["Security"]),
            ("error: undefined symbol: _main\nframework not found \n", &[]),
        ] {
            assert_eq!(find_missing_frameworks(messages), expected.iter().copied().collect(), "{messages}");
        }
        assert_eq!(
            explain_missing_frameworks(
                "error: undefined symbol: _main",
                "disk",
                "aarch64-apple-darwin",
                Path::new(".")
            ),
            None
        );
    }

    #[test]
    fn paths_lead_to_dependencies_that_link_the_framework() {
        let directory = tempfile::tempdir().unwrap();
        for (name, file, source) in [
            ("disk", "src/main.rs", "fn main() {}"),
            ("client", "src/lib.rs", "// name = \"Security\""),
            ("tests", "src/lib.rs", "#[link(name = \"Security\", kind = \"framework\")]"),
            ("macos", "src/sys/mod.rs", "#[link(name = \"Security\", kind = \"framework\")]"),
            ("script", "build.rs", "println!(\"cargo:rustc-link-lib=framework=AppKit\")"),
        ] {
            let path = directory.path().join(name).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, source).unwrap();
        }
        let package = |name: &str| {
            let manifest_path = directory.path().join(name).join("Cargo.toml");
            Package { id: format!("{name}#1"), name: name.to_owned(), manifest_path }
        };
        let node = |name: &str, dependencies: &[(&str, Option<&str>)]| {
            let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
                pkg: format!("{name}#1"),
                dep_kinds: vec![DependencyKind { kind: kind.map(str::to_owned) }],
            };
            Node { id: format!("{name}#1"), deps: dependencies.iter().map(dependency).collect() }
        };
        let graph = Graph {
            packages: ["disk", "client", "tests", "macos", "script"].map(package).into(),
            resolve: Resolve {
                nodes: vec![
                    node("disk", &[("tests", Some("dev")), ("client", None), ("script", None)]),
                    node("client", &[("macos", None), ("disk", None)]),
                ],
            },
        };
        let paths = |framework: &str| graph.paths_to("disk", |it| it.links(framework));
        assert_eq!(paths("Security"), [["disk", "client", "macos"]]);
        assert_eq!(paths("AppKit"), [["disk", "script"]]);
        assert!(paths("CoreFoundation").is_empty());
    }
}
