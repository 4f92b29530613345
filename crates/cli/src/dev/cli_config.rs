//! The CLI configuration file with the development override.
//!
//! Terraform reads one CLI configuration file. So the file contains the user's own settings, such as credentials and
//! installation methods for other providers, and the development override in addition. The user's files are only read.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::error::{Error, Result};
use super::hcl;
use crate::source_address::{equal_addresses, is_same_provider};

/// The environment variable with the path of the CLI configuration file.
pub(super) const VARIABLE: &str = "TF_CLI_CONFIG_FILE";

/// The environment of the process.
pub(super) type Environment = BTreeMap<OsString, OsString>;

/// The user's CLI configuration.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct UserConfig {
    /// The content of all files.
    pub(super) text: String,
    /// The files, for messages.
    pub(super) files: Vec<PathBuf>,
    /// The files in JSON, which cannot be included.
    pub(super) skipped: Vec<PathBuf>,
    /// The file in `TF_CLI_CONFIG_FILE` if it does not exist.
    pub(super) missing: Option<PathBuf>,
}

impl UserConfig {
    /// Reads the files that Terraform or OpenTofu would read: the one in `TF_CLI_CONFIG_FILE`, or else `~/.tofurc` for
    /// OpenTofu, `~/.terraformrc`, and the files in `~/.terraform.d`. A file at the path `generated` is not the user's:
    /// the variable contains it in a shell that has evaluated the output of an earlier run.
    pub(super) fn read(environment: &Environment, is_tofu: bool, generated: &Path) -> Result<UserConfig> {
        let mut config = UserConfig::default();
        let chosen = environment.get(OsStr::new(VARIABLE)).filter(|it| !it.is_empty());
        match chosen.map(PathBuf::from).filter(|it| it != generated) {
            Some(file) => {
                // Terraform warns and continues, too.
                if !config.add(&file)? {
                    config.missing = Some(file);
                }
            }
            None => config.add_default_files(environment, is_tofu)?,
        }
        Ok(config)
    }

    fn add_default_files(&mut self, environment: &Environment, is_tofu: bool) -> Result<()> {
        let variable = |name: &str| environment.get(OsStr::new(name)).map(PathBuf::from);
        let (home, names, directory) = if cfg!(windows) {
            (variable("APPDATA"), ["tofu.rc", "terraform.rc"], "terraform.d")
        } else {
            (variable("HOME"), [".tofurc", ".terraformrc"], ".terraform.d")
        };
        let Some(home) = home else { return Ok(()) };
        for name in names.into_iter().skip(usize::from(!is_tofu)) {
            // OpenTofu reads `~/.terraformrc` only if there is no `~/.tofurc`.
            if self.add(&home.join(name))? {
                break;
            }
        }
        let directory = home.join(directory);
        let entries = match fs::read_dir(&directory) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(Error::context(format!("cannot read {}", directory.display())))?,
        };
        let mut files: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
        files.sort();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with(".tfrc") {
                self.add(&file)?;
            } else if name.ends_with(".tfrc.json") && name != "credentials.tfrc.json" {
                // The programs read `credentials.tfrc.json`, which `terraform login` writes, in any case.
                self.skipped.push(file);
            }
        }
        Ok(())
    }

    /// Adds a file. Returns false if it does not exist.
    fn add(&mut self, file: &Path) -> Result<bool> {
        let text = match fs::read_to_string(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            text => text.map_err(Error::context(format!("cannot read {}", file.display())))?,
        };
        if text.trim_start().starts_with('{') {
            self.skipped.push(file.to_owned());
        } else {
            // Writing to a string cannot fail.
            let _ = writeln!(self.text, "# From {}\n{}\n", file.display(), text.trim_end());
            self.files.push(file.to_owned());
        }
        Ok(true)
    }
}

/// Returns the user's CLI configuration with a development override: the provider's address, and the directory of its
/// binary. `mirrors` are the directories that Terraform searches if no installation method is configured.
pub(super) fn with_override(
    user: &UserConfig,
    address: &str,
    directory: &Path,
    mirrors: &[PathBuf],
) -> Result<String> {
    let text = &user.text;
    let found = hcl::provider_installation(text).map_err(|at| {
        let line = text[..at].lines().count().max(1);
        let files: Vec<String> = user.files.iter().map(|it| it.display().to_string()).collect();
        Error::new(format!(
            "cannot read your CLI configuration: a string, comment or block has no end: {:?}, in {}; use \
             --ignore-cli-config to run without it",
            text.lines().nth(line - 1).unwrap_or_default().trim(),
            files.join(", ")
        ))
    })?;
    let mut block = String::from("\n  dev_overrides {\n");
    let entries = found.iter().flat_map(|it| &it.entries);
    for (other, directory) in entries.filter(|(other, _)| !is_same_provider(other, address)) {
        // Both have the escape sequences of the file.
        let _ = writeln!(block, "    \"{other}\" = \"{directory}\"");
    }
    for address in equal_addresses(address) {
        let _ = writeln!(block, "    {} = {}", quoted(&address), quoted(&directory.display().to_string()));
    }
    block.push_str("  }\n");
    // Without an installation method, no other provider could be installed.
    if found.as_ref().is_none_or(|it| it.methods == 0) {
        for mirror in mirrors {
            let _ =
                writeln!(block, "  filesystem_mirror {{ path = {} }}", quoted(&mirror.display().to_string()));
        }
        block.push_str("  direct {}\n");
    }
    let Some(found) = found else {
        return Ok(format!("{text}provider_installation {{{block}}}\n"));
    };
    let mut result = format!("{}{block}", &text[..found.start]);
    let mut end = found.start;
    for old in &found.overrides {
        result.push_str(text[end..old.start].trim_end_matches([' ', '\t']));
        end = old.end;
    }
    result.push_str(&text[end..]);
    Ok(result)
}

/// Returns the existing directories that Terraform and OpenTofu search for providers before they download one.
pub(super) fn implied_mirrors(environment: &Environment, working_directory: &Path) -> Vec<PathBuf> {
    let variable = |name: &str| environment.get(OsStr::new(name)).map(PathBuf::from);
    let home = variable(if cfg!(windows) { "APPDATA" } else { "HOME" });
    let mut directories = vec![working_directory.join("terraform.d/plugins")];
    directories.extend(
        home.as_ref()
            .map(|it| it.join(if cfg!(windows) { "terraform.d" } else { ".terraform.d" }).join("plugins")),
    );
    let data: Vec<PathBuf> = if cfg!(windows) {
        home.iter().map(|it| it.join(r"HashiCorp\Terraform")).collect()
    } else if cfg!(target_os = "macos") {
        let root = PathBuf::from("/");
        home.iter().chain([&root]).map(|it| it.join("Library/Application Support/io.terraform")).collect()
    } else {
        let user = variable("XDG_DATA_HOME").or_else(|| Some(home?.join(".local/share")));
        let system = variable("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
        let all = user.into_iter().chain(std::env::split_paths(&system));
        all.flat_map(|it| ["terraform", "opentofu"].map(|name| it.join(name))).collect()
    };
    directories.extend(data.iter().map(|it| it.join("plugins")));
    directories.retain(|it| it.is_dir());
    directories
}

/// Writes the file, which only the user can read, because it can contain credentials.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    // Another run can read the file at the same time, so the file is replaced by a complete one.
    let unfinished = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = fs::create_dir_all(directory).and_then(|()| {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&unfinished)?.write_all(text.as_bytes())?;
        fs::rename(&unfinished, path)
    });
    written.map_err(|error: io::Error| {
        // The error to report is that of the write.
        let _ = fs::remove_file(&unfinished);
        Error::context(format!("cannot write {}", path.display()))(error)
    })
}

/// Returns a string with quotation marks and escape sequences.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let user = UserConfig { text: text.to_owned(), ..UserConfig::default() };
        let directory = Path::new("/work/target/debug");
        let mirrors = [PathBuf::from("/home/me/.terraform.d/plugins")];
        let result = with_override(&user, "registry.terraform.io/acme/disk", directory, &mirrors);
        expected.assert_eq(&result.unwrap_or_else(|error| format!("{error:?}")));
    }

    #[test]
    fn override_is_added_to_user_configuration() {
        check(
            "",
            expect![[r#"
                provider_installation {
                  dev_overrides {
                    "registry.terraform.io/acme/disk" = "/work/target/debug"
                    "registry.opentofu.org/acme/disk" = "/work/target/debug"
                  }
                  filesystem_mirror { path = "/home/me/.terraform.d/plugins" }
                  direct {}
                }
            "#]],
        );
        check(
            "plugin_cache_dir = \"/cache\"\nprovider_installation {\n  network_mirror {\n    url = \"https://mirror.example/\"\n  }\n}\n",
            expect![[r#"
                plugin_cache_dir = "/cache"
                provider_installation {
                  dev_overrides {
                    "registry.terraform.io/acme/disk" = "/work/target/debug"
                    "registry.opentofu.org/acme/disk" = "/work/target/debug"
                  }

                  network_mirror {
                    url = "https://mirror.example/"
                  }
                }
            "#]],
        );
    }

    #[test]
    fn own_override_replaces_that_of_user() {
        check(
            "provider_installation {\n  dev_overrides {\n    \"acme/disk\" = \"/old\"\n    \"acme/net\" = \"C:\\\\net\"\n  }\n  direct {}\n}\n",
            expect![[r#"
                provider_installation {
                  dev_overrides {
                    "acme/net" = "C:\\net"
                    "registry.terraform.io/acme/disk" = "/work/target/debug"
                    "registry.opentofu.org/acme/disk" = "/work/target/debug"
                  }


                  direct {}
                }
            "#]],
        );
    }

    #[test]
    fn unfinished_user_configuration_is_reported() {
        check(
            "a = 1\nprovider_installation {\n",
            expect![[
                r#"Error { message: "cannot read your CLI configuration: a string, comment or block has no end: \"provider_installation {\", in ; use --ignore-cli-config to run without it", code: 1 }"#
            ]],
        );
    }

    #[test]
    fn files_of_user_are_found() {
        let home = std::env::temp_dir().join(format!("ferroform-cli-config-{}", std::process::id()));
        let directory = home.join(".terraform.d");
        fs::create_dir_all(&directory).unwrap();
        fs::write(home.join(".terraformrc"), "a = 1").unwrap();
        fs::write(directory.join("x.tfrc"), "b = 2\n").unwrap();
        fs::write(directory.join("y.tfrc.json"), "{}").unwrap();
        fs::write(directory.join("credentials.tfrc.json"), "{}").unwrap();
        let mut environment =
            Environment::from([("HOME".into(), home.clone().into()), ("APPDATA".into(), "".into())]);
        let generated = home.join("generated.tfrc");
        let read = |environment: &Environment, is_tofu| {
            let config = UserConfig::read(environment, is_tofu, &generated)?;
            let lines = config.text.lines().filter(|it| !it.starts_with('#') && !it.is_empty());
            let text = lines.collect::<Vec<_>>().join("; ");
            Ok::<_, Error>((text, config.skipped.len()))
        };
        if cfg!(unix) {
            assert_eq!(read(&environment, true), Ok(("a = 1; b = 2".into(), 1)));
            fs::write(home.join(".tofurc"), "t = 3").unwrap();
            assert_eq!(read(&environment, true), Ok(("t = 3; b = 2".into(), 1)));
            assert_eq!(read(&environment, false), Ok(("a = 1; b = 2".into(), 1)));
            // The variable contains the file of an earlier run.
            environment.insert(VARIABLE.into(), generated.clone().into());
            assert_eq!(read(&environment, false), Ok(("a = 1; b = 2".into(), 1)));
        }
        fs::write(home.join("own.tfrc"), "c = 4").unwrap();
        environment.insert(VARIABLE.into(), home.join("own.tfrc").into());
        assert_eq!(read(&environment, true), Ok(("c = 4".into(), 0)));
        let missing = home.join("missing.tfrc");
        environment.insert(VARIABLE.into(), missing.clone().into());
        assert_eq!(UserConfig::read(&environment, true, &generated).unwrap().missing, Some(missing));
        fs::remove_dir_all(&home).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn file_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = std::env::temp_dir().join(format!("ferroform-private-{}", std::process::id()));
        let file = directory.join("a/dev.tfrc");
        write(&file, "first").unwrap();
        write(&file, "second").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_to_string(&file).unwrap(), "second");
        assert_eq!(fs::read_dir(directory.join("a")).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }
}
