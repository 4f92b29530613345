//! Releases that are installed from a provider mirror, without a development override.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_ferroform::Output;
use ferroform_testing::cli::Cli;
use tempfile::TempDir;

use crate::run;

/// A release for this platform.
#[derive(Debug)]
pub struct Release {
    directory: TempDir,
}

impl Release {
    /// Creates a release of the package in the working directory from its binary, with `cargo ferroform dist`.
    pub fn create(package: &str, binary: &str) -> Release {
        let release = Release { directory: tempfile::tempdir().unwrap() };
        let platform = platform();
        let prebuilt = release.path("prebuilt").join(&platform);
        fs::create_dir_all(&prebuilt).unwrap();
        fs::copy(binary, prebuilt.join(Path::new(binary).file_name().unwrap())).unwrap();
        let paths = ["prebuilt", "dist", "mirror"].map(|it| release.path(it).to_str().unwrap().to_owned());
        let [prebuilt, dist, mirror] = &paths;
        let output = run(&[
            "dist",
            "--no-sign",
            "--package",
            package,
            "--platform",
            &platform,
            "--prebuilt",
            prebuilt,
            "--out",
            dist,
            "--mirror",
            mirror,
        ]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        release
    }

    /// The directory that contains the files of the release.
    pub fn directory(&self) -> PathBuf {
        self.path("dist")
    }

    /// Verifies the files of the release.
    pub fn verify(&self) -> Output {
        run(&["dist", "--verify", "--no-sign", "--out", self.directory().to_str().unwrap()])
    }

    /// Applies a configuration with the released provider, which the CLI can only install from the mirror. Returns the
    /// directory that contains the configuration and its state.
    pub fn apply(&self, cli: &Cli, configuration: &str) -> PathBuf {
        let mirror = self.path("mirror");
        let settings =
            format!("provider_installation {{\n  filesystem_mirror {{\n    path = {mirror:?}\n  }}\n}}\n");
        fs::write(self.path("rc"), settings).unwrap();
        let module = self.path("module");
        fs::create_dir(&module).unwrap();
        fs::write(module.join("main.tf"), configuration).unwrap();
        for arguments in [&["init", "-input=false"][..], &["apply", "-input=false", "-auto-approve"]] {
            let mut command = Command::new(cli.program());
            command.args(arguments).arg("-no-color").current_dir(&module);
            command.env("TF_CLI_CONFIG_FILE", self.path("rc")).env("CHECKPOINT_DISABLE", "1");
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        module
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

/// The name of the platform on which the tests run, such as `linux_amd64`.
fn platform() -> String {
    let os = if OS == "macos" { "darwin" } else { OS };
    let arch = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        arch => arch,
    };
    format!("{os}_{arch}")
}
