//! Workspaces with the probe providers.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::{Json, Result, Workspace};

/// The result of a test. `?` works with every error, and a failed test prints its message.
pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A probe provider. The providers differ only in their name and protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) name: &'static str,
    built: &'static str,
}

/// The provider on protocol 6.
pub(crate) const SIX: Probe = Probe { name: "probe", built: env!("CARGO_BIN_EXE_terraform-provider-probe") };
/// The provider on protocol 5.
pub(crate) const FIVE: Probe =
    Probe { name: "probefive", built: env!("CARGO_BIN_EXE_terraform-provider-probefive") };

/// The environment variable with the directory of the scripts that run the Windows provider binaries. Without it, the tests run the
/// binaries that Cargo has built.
const WINDOWS_PROVIDERS: &str = "PROBE_WINDOWS_PROVIDERS";

/// True if the tests run Windows builds of the providers.
pub(crate) fn runs_windows_providers() -> bool {
    cfg!(windows) || env::var_os(WINDOWS_PROVIDERS).is_some()
}

/// Returns the path of the provider to run instead of the binary that Cargo has built.
pub(crate) fn binary(built: &str) -> PathBuf {
    let built = Path::new(built);
    match (env::var_os(WINDOWS_PROVIDERS), built.file_name()) {
        (Some(directory), Some(name)) => Path::new(&directory).join(name),
        _ => built.to_owned(),
    }
}

/// Defines a test of each function for each protocol.
macro_rules! on_both_protocols {
    ($($scenario:ident)+) => {
        mod protocol6 {
            $(#[test]
            fn $scenario() -> crate::common::Outcome {
                super::$scenario(crate::common::SIX)
            })+
        }
        mod protocol5 {
            $(#[test]
            fn $scenario() -> crate::common::Outcome {
                super::$scenario(crate::common::FIVE)
            })+
        }
    };
}
pub(crate) use on_both_protocols;

impl Probe {
    pub(crate) fn address(self) -> String {
        format!("registry.terraform.io/ferroform/{}", self.name)
    }

    pub(crate) fn binary(self) -> PathBuf {
        binary(self.built)
    }

    /// Returns a workspace with the provider, whose objects are in the directory `things`, or `None` if no CLI is
    /// installed.
    pub(crate) fn bench(self) -> Result<Option<Bench>> {
        self.bench_for(&[])
    }

    /// Returns the same for a scenario that requires these features, or `None` if the CLI does not have them.
    pub(crate) fn bench_for(self, features: &[Feature]) -> Result<Option<Bench>> {
        let Some(cli) = Cli::for_test_of(features) else {
            return Ok(None);
        };
        self.bench_in(Workspace::new(&cli)?.provider(&self.address(), self.binary())?).map(Some)
    }

    pub(crate) fn bench_in(self, space: Workspace) -> Result<Bench> {
        let bench = Bench { probe: self, space };
        bench.space.write(
            "provider.tf",
            &bench.for_provider("provider \"probe\" {\n  directory = \"things\"\n}\n"),
        )?;
        Ok(bench)
    }
}

/// A provider and a workspace.
pub(crate) struct Bench {
    pub(crate) probe: Probe,
    pub(crate) space: Workspace,
}

impl Bench {
    /// Sets an environment variable of the CLI and its providers.
    pub(crate) fn with_env(self, name: &str, value: &str) -> Bench {
        Bench { space: self.space.env(name, value), ..self }
    }

    /// Replaces `probe` with the name of the provider.
    pub(crate) fn for_provider(&self, config: &str) -> String {
        config.replace("probe", self.probe.name)
    }

    /// Writes `main.tf`, after replacing `probe` with the name of the provider.
    pub(crate) fn configure(&self, config: &str) -> Result<()> {
        self.space.write("main.tf", &self.for_provider(config))
    }

    /// Returns the path of an object's file.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.space.path().join("things").join(format!("{name}.json"))
    }

    pub(crate) fn object(&self, name: &str) -> Result<Json, Box<dyn std::error::Error>> {
        Ok(serde_json::from_slice(&fs::read(self.file(name))?)?)
    }

    /// Changes a remote object outside of Terraform.
    pub(crate) fn drift(&self, name: &str, attribute: &str, value: impl Into<Json>) -> Outcome {
        let mut object = self.object(name)?;
        object[attribute] = value.into();
        // The file is replaced atomically, so a concurrent read never finds an incomplete file.
        let new = self.file(&format!("{name}.new"));
        fs::write(&new, object.to_string())?;
        Ok(fs::rename(new, self.file(name))?)
    }
}
