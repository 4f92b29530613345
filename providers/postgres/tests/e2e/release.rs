//! A release that is installed from a provider mirror, without a development override.

use std::fs;
use std::path::Path;
use std::process::Command;

use ferroform_testing::cli::Cli;

use crate::{BINARY, Outcome, provider_block, server};

/// The name of the platform on which the tests run, such as `linux_amd64`.
fn platform() -> String {
    let os = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        arch => arch,
    };
    format!("{os}_{arch}")
}

#[test]
fn release_is_installed_from_mirror() -> Outcome {
    let Some(server) = server::server() else { return Ok(()) };
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let directory = tempfile::tempdir()?;
    let path = |name: &str| directory.path().join(name);
    let prebuilt = path("prebuilt").join(platform());
    fs::create_dir_all(&prebuilt)?;
    fs::copy(BINARY, prebuilt.join(Path::new(BINARY).file_name().ok_or("no file name")?))?;

    let mut arguments =
        vec!["dist".into(), "--no-sign".into(), "--package".into(), env!("CARGO_PKG_NAME").into()];
    arguments.extend(["--platform".into(), platform().into()]);
    for (option, name) in [("--prebuilt", "prebuilt"), ("--out", "dist"), ("--mirror", "mirror")] {
        arguments.extend([option.into(), path(name).into()]);
    }
    let output = cargo_ferroform::run(arguments, Vec::new());
    assert_eq!(output.code, 0, "{}", output.stderr);

    // The CLI may install providers from the mirror only.
    let mirror = path("mirror");
    let configuration =
        format!("provider_installation {{\n  filesystem_mirror {{\n    path = {mirror:?}\n  }}\n}}\n");
    fs::write(path("rc"), configuration)?;
    let module = path("module");
    fs::create_dir(&module)?;
    let (provider, database) = provider_block(server);
    let main = "terraform {\n  required_providers {\n    postgresql = {\n      source = \"ferroform/postgresql\"\n    }\n  }\n}\n\
                resource \"postgresql_schema\" \"a\" {\n  name = \"released\"\n}\n";
    fs::write(module.join("main.tf"), format!("{provider}{main}"))?;
    for arguments in [&["init", "-input=false"][..], &["apply", "-input=false", "-auto-approve"]] {
        let mut command = Command::new(cli.program());
        command.args(arguments).arg("-no-color").current_dir(&module);
        command.env("TF_CLI_CONFIG_FILE", path("rc")).env("CHECKPOINT_DISABLE", "1");
        let output = command.output()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(
        server.psql(&database, "SELECT nspname FROM pg_namespace WHERE nspname = 'released'"),
        "released"
    );
    Ok(())
}
