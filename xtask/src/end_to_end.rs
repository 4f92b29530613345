//! `cargo xtask e2e`: runs the end-to-end tests with several versions of Terraform and OpenTofu, and reports which
//! scenarios ran.
//!
//! A scenario that requires a feature runs only with the clients that have it. It must run with at least one. The table
//! in `README.md` is compared with the result.

mod feature_table;
mod report;

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use ferroform_testing::cli::Cli;

use self::report::Report;
use crate::clients;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// The packages and their test targets that start providers.
const SUITES: [(&str, &str); 3] =
    [("probe", "e2e"), ("terraform-provider-local", "e2e"), ("cargo-ferroform", "new")];
/// The scenarios of a smoke test: the life of an object.
const SMOKE: &str = "lifecycle";

const USAGE: &str = "usage: cargo xtask e2e [--report FILE] [--update] [CLIENT…] [--smoke CLIENT…], where a CLIENT is the path of a \
     terraform or tofu";

#[derive(Default)]
struct Options {
    /// The report of tests that have already run.
    report: Option<PathBuf>,
    /// True if the table in `README.md` is to be updated.
    update: bool,
    clients: Vec<Client>,
}

/// A client, and whether it runs all scenarios.
struct Client {
    name: String,
    cli: Cli,
    is_smoke: bool,
}

/// Runs the tests with each client in the arguments. Without clients in the arguments, runs them with the client on the
/// `PATH` and with all clients that `cargo xtask clients` has installed.
///
/// With `--smoke`, the clients after it run only the smoke test. A client in the report of `--report` does not run
/// again.
///
/// # Errors
///
/// Returns an error if a test fails, if no client runs a scenario, or if the table in `README.md` differs.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let options = options(arguments)?;
    let mut report = Report::default();
    if let Some(file) = &options.report {
        report.add(&fs::read_to_string(file)?, None)?;
    }
    let clients = if options.clients.is_empty() { default_clients()? } else { options.clients };
    for client in clients {
        if !report.contains(&client.name) {
            run_client(&client, &mut report)?;
        }
    }
    print!("{report}");
    report.check()?;
    feature_table::compare(&report, options.update)
}

fn options(arguments: &[&str]) -> Result<Options> {
    let mut options = Options::default();
    let mut is_smoke = false;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match *argument {
            "--smoke" => is_smoke = true,
            "--update" => options.update = true,
            "--report" => options.report = Some(arguments.next().ok_or(USAGE)?.into()),
            option if option.starts_with('-') => return Err(USAGE.into()),
            path => options.clients.push(client(Cli::at(Path::new(path))?, is_smoke)?),
        }
    }
    Ok(options)
}

fn default_clients() -> Result<Vec<Client>> {
    let installed = clients::installed()?;
    if installed.is_empty() {
        return Err("no client is installed: run `cargo xtask clients` first".into());
    }
    let mut clients: Vec<Client> =
        Cli::find()?.map(|it| client(it, false)).transpose()?.into_iter().collect();
    // The newest version of each product runs all scenarios.
    let mut products = BTreeSet::new();
    for program in installed {
        let cli = Cli::at(program)?;
        let is_smoke = !products.insert(cli.product()?);
        clients.push(client(cli, is_smoke)?);
    }
    Ok(clients)
}

fn client(cli: Cli, is_smoke: bool) -> Result<Client> {
    Ok(Client { name: format!("{} {}", cli.product()?, cli.version()?), cli, is_smoke })
}

/// Runs the suites with the client.
fn run_client(client: &Client, report: &mut Report) -> Result {
    let start = Instant::now();
    let file = env::temp_dir().join(format!("ferroform-e2e-{}", std::process::id()));
    fs::write(&file, "")?;
    for (package, target) in SUITES {
        println!("\n{package} with {}", client.name);
        let mut command = Command::new(env!("CARGO"));
        command.args(["test", "--package", package, "--test", target, "--"]);
        if client.is_smoke {
            command.arg(SMOKE);
        }
        command
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("FERROFORM_TEST_CLI", client.cli.program())
            .env("FERROFORM_E2E", "required")
            .env("FERROFORM_E2E_REPORT", &file);
        if !command.status()?.success() {
            return Err(format!("the end-to-end tests of {package} fail with {}", client.name).into());
        }
    }
    report.add(&fs::read_to_string(&file)?, Some((start.elapsed(), client.is_smoke)))?;
    fs::remove_file(&file)?;
    Ok(())
}
