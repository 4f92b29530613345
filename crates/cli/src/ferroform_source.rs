//! The source of the Ferroform crates in the `Cargo.toml` of a new package: crates.io, a Git repository or a local clone.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, value_parser};

/// The version of Ferroform.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The source of the Ferroform crates.
#[derive(Debug, PartialEq)]
pub(crate) enum FerroformSource {
    Registry,
    /// The URL of a Git repository.
    Git(String),
    /// A clone of the repository.
    Path(PathBuf),
}

impl FerroformSource {
    /// Returns the options `--git` and `--path`, which select the source.
    pub(crate) fn options() -> [Arg; 2] {
        [
            Arg::new("git")
                .long("git")
                .value_name("URL")
                .help("Depend on Ferroform in a Git repository")
                .conflicts_with("path"),
            Arg::new("path")
                .long("path")
                .value_name("DIRECTORY")
                .help("Depend on a local clone of the repository of Ferroform")
                .value_parser(value_parser!(PathBuf)),
        ]
    }

    /// Reads the options. Relative paths start at `working_directory`.
    pub(crate) fn read(matches: &ArgMatches, working_directory: &Path) -> FerroformSource {
        match (matches.get_one::<String>("git"), matches.get_one::<PathBuf>("path")) {
            (Some(url), _) => FerroformSource::Git(url.clone()),
            (None, Some(path)) => FerroformSource::Path(working_directory.join(path)),
            (None, None) => FerroformSource::Registry,
        }
    }

    /// Returns the value of a dependency in `Cargo.toml`: `{ git = "…", features = ["uuid"] }`. `directory` is the directory of
    /// the crate in `crates`.
    ///
    /// # Errors
    ///
    /// Returns a message if the directory of `--path` is not a clone of the repository.
    pub(crate) fn dependency(&self, directory: &str, features: &[&str]) -> Result<String, String> {
        let features = match features {
            [] => String::new(),
            names => format!(", features = {names:?}"),
        };
        Ok(match self {
            FerroformSource::Registry if features.is_empty() => format!("{VERSION:?}"),
            FerroformSource::Registry => format!("{{ version = {VERSION:?}{features} }}"),
            FerroformSource::Git(url) => format!("{{ git = {url:?}{features} }}"),
            FerroformSource::Path(repository) => {
                let path = repository.join("crates").join(directory);
                let is_clone = path.join("Cargo.toml").is_file();
                // Without `..`, because a person reads the path.
                let path = std::fs::canonicalize(path).ok().filter(|_| is_clone).ok_or_else(|| {
                    format!("{}: --path is not a clone of the repository of Ferroform", repository.display())
                })?;
                format!("{{ path = {path:?}{features} }}")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_have_the_source_and_the_features() {
        let git = FerroformSource::Git("https://example.com/ferroform".to_owned());
        assert_eq!(git.dependency("ferroform", &[]).unwrap(), "{ git = \"https://example.com/ferroform\" }");
        assert_eq!(
            git.dependency("ferroform", &["time", "uuid"]).unwrap(),
            "{ git = \"https://example.com/ferroform\", features = [\"time\", \"uuid\"] }"
        );
        assert_eq!(FerroformSource::Registry.dependency("testing", &[]).unwrap(), format!("{VERSION:?}"));
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let path = FerroformSource::Path(repository).dependency("testing", &["http"]).unwrap();
        assert!(path.starts_with("{ path = \"/") && !path.contains(".."), "{path}");
        assert!(path.ends_with("/crates/testing\", features = [\"http\"] }"), "{path}");
        let error = FerroformSource::Path("no/such".into()).dependency("testing", &[]).unwrap_err();
        assert_eq!(error, "no/such: --path is not a clone of the repository of Ferroform");
    }
}
