//! Advice for builds that fail because the linker has no frameworks of macOS.
//!
//! zig contains the C library of macOS, but no frameworks, whose license does not permit that. The only way to learn
//! which framework is missing is the message of the linker. It determines nothing except the advice: the build has failed
//! in any case, and Cargo has printed the message.

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
fn missing(messages: &str) -> BTreeSet<&str> {
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

/// Returns the advice about the frameworks that the messages of the linker name; `None` if they name none.
///
/// The advice contains the dependency that links each framework, if it is found.
pub(crate) fn advice(messages: &str, package: &str, triple: &str, directory: &Path) -> Option<String> {
    let frameworks = missing(messages);
    if frameworks.is_empty() {
        return None;
    }
    let graph = Graph::read(triple, directory);
    let mut advice = String::new();
    for framework in frameworks {
        let _ = write!(advice, "\n  the linker cannot find the macOS framework {framework}");
        let paths = graph.iter().flat_map(|it| it.paths_to(package, |it| it.links(framework)));
        for path in paths {
            let _ = write!(advice, "\n    which a dependency links: {}", path.join(" -> "));
        }
    }
    advice.push_str(
        "\n  Build the binary on macOS, and add it with --prebuilt; or replace the dependency, or disable the feature that \
         requires it.",
    );
    Some(advice)
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
    /// Returns `None` on every error: the advice is useful without dependencies.
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
    fn messages_of_linkers_name_frameworks() {
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
            assert_eq!(missing(messages), expected.iter().copied().collect(), "{messages}");
        }
        assert_eq!(
            advice("error: undefined symbol: _main", "disk", "aarch64-apple-darwin", Path::new(".")),
            None
        );
    }

    #[test]
    fn advice_names_the_path_to_the_dependency() {
        let folder = tempfile::tempdir().unwrap();
        for (name, file, source) in [
            ("disk", "src/main.rs", "fn main() {}"),
            ("client", "src/lib.rs", "// name = \"Security\""),
            ("tests", "src/lib.rs", "#[link(name = \"Security\", kind = \"framework\")]"),
            ("macos", "src/sys/mod.rs", "#[link(name = \"Security\", kind = \"framework\")]"),
            ("script", "build.rs", "println!(\"cargo:rustc-link-lib=framework=AppKit\")"),
        ] {
            let path = folder.path().join(name).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, source).unwrap();
        }
        let package = |name: &str| {
            let manifest_path = folder.path().join(name).join("Cargo.toml");
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
