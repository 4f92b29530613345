//! Measures the providers for the README and the performance page: `cargo xtask measure [OTHER_PROVIDER_BINARY…]`.

mod commands;
mod start;

use std::path::Path;

use crate::cargo::cargo_of_providers;
use crate::clients;
use crate::result::Result;

/// The providers that replace existing ones. The name of a package is that of its program.
const PROVIDERS: [&str; 6] = [
    "terraform-provider-local",
    "terraform-provider-random",
    "terraform-provider-time",
    "terraform-provider-tls",
    "terraform-provider-http",
    "terraform-provider-postgresql",
];

/// Builds the providers, and measures their start and the commands of Terraform with them.
///
/// # Errors
///
/// Returns an error if a provider does not build or start, or if a command of Terraform fails.
pub(crate) fn run(others: &[&str]) -> Result {
    let directory = clients::target_directory()?.join("release");
    let packages = PROVIDERS.iter().flat_map(|it| ["--package", it]);
    if !cargo_of_providers()?.args(["build", "--release"]).args(packages).status()?.success() {
        return Err("the providers do not build".into());
    }
    let programs = PROVIDERS.iter().map(|it| directory.join(it)).collect::<Vec<_>>();
    let others = others.iter().map(Path::new);
    start::run(programs.iter().map(|it| (it.as_path(), 200)).chain(others.map(|it| (it, 10))))?;
    println!();
    commands::run(&directory)
}
