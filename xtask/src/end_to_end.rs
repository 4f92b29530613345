//! `cargo xtask e2e`: runs the end-to-end tests with several versions of Terraform and OpenTofu, and reports which
//! scenarios ran. If Wine is installed, Terraform also runs Windows builds of the providers, see [`wine`].
//!
//! A scenario that requires a feature runs only with the clients that have it. It must run with at least one. The table
//! in `README.md` is compared with the result.

mod client;
mod feature_table;
mod report;
mod wine;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path;
use std::time::Instant;

use ferroform_testing::cli::{Cli, Product};

use self::client::{Client, TestSet};
use self::report::Report;
use self::wine::Wine;
use crate::cargo::cargo;
use crate::clients;
use crate::result::Result;

/// The packages and their test targets that start Terraform. `cargo test` skips their scenarios.
const SUITES: [(&str, &str); 4] = [
    ("probe", "e2e"),
    ("terraform-provider-local", "e2e"),
    ("cargo-ferroform", "new"),
    ("cargo-ferroform", "dev"),
];
/// The comparison of the language with Terraform, and the version whose results it contains.
const LANGUAGE_SUITE: (&str, &str) = ("ferroform-vars", "e2e");
const LANGUAGE_VERSION: &str = "1.11.";
/// The scenarios of a smoke test: the life of an object.
const SMOKE: &str = "lifecycle";
/// The module of the scenarios on protocol 5.
const PROTOCOL_5: &str = "::protocol5::";

const USAGE: &str = "usage: cargo xtask e2e [--update] [CLIENT…] [--smoke CLIENT…] [--wine CLIENT…], where a CLIENT \
     is the path of a terraform or tofu";

#[derive(Default)]
struct Options {
    /// True if the table in `README.md` is to be updated.
    update: bool,
    clients: Vec<Client>,
}

/// Runs the tests with each client in the arguments. Without clients in the arguments, runs them with the client on the
/// `PATH` and with all clients that `cargo xtask clients` has installed. If Wine is installed, the newest
/// Terraform also runs Windows builds of the providers.
///
/// With `--smoke`, the clients after it run only the smoke test, and with `--wine`, they run Windows builds of the providers.
///
/// # Errors
///
/// Returns an error if a test fails, if no client runs a scenario, or if the table in `README.md` differs.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let options = options(arguments)?;
    let mut report = Report::default();
    let clients = if options.clients.is_empty() { default_clients()? } else { options.clients };
    for client in clients {
        run_client(&client, &mut report)?;
    }
    print!("{report}");
    report.check()?;
    feature_table::compare(&report, options.update)
}

fn options(arguments: &[&str]) -> Result<Options> {
    let mut options = Options::default();
    let mut test_set = TestSet::Full;
    for argument in arguments {
        match *argument {
            "--smoke" => test_set = TestSet::Smoke,
            "--wine" => test_set = TestSet::Wine,
            "--update" => options.update = true,
            option if option.starts_with('-') => return Err(USAGE.into()),
            program => options.clients.push(Client::new(Cli::at(path::absolute(program)?)?, test_set)?),
        }
    }
    Ok(options)
}

fn default_clients() -> Result<Vec<Client>> {
    let installed = clients::installed()?;
    if installed.is_empty() {
        return Err("no client is installed: run `cargo xtask clients` first".into());
    }
    let on_path = Cli::find()?.map(|it| Client::new(it, TestSet::Protocol6)).transpose()?;
    let mut clients: Vec<Client> = on_path.into_iter().collect();
    let mut products = BTreeSet::new();
    for program in installed {
        let cli = Cli::at(program)?;
        let product = cli.product()?;
        let test_set = match products.insert(product) {
            // The newest Terraform has all features.
            true if product == Product::Terraform => TestSet::Full,
            true => TestSet::Protocol6,
            false => TestSet::Smoke,
        };
        clients.push(Client::new(cli, test_set)?);
    }
    let missing = wine::missing_tools();
    if !missing.is_empty() {
        println!("Windows provider binaries are not tested without {}.", missing.join(", "));
    } else if let Some(newest) = clients.iter().find(|it| it.test_set == TestSet::Full) {
        clients.push(Client::new(newest.cli.clone(), TestSet::Wine)?);
    }
    Ok(clients)
}

/// Runs the suites with the client.
fn run_client(client: &Client, report: &mut Report) -> Result {
    let start = Instant::now();
    let file = env::temp_dir().join(format!("ferroform-e2e-{}", std::process::id()));
    fs::write(&file, "")?;
    let wine = if client.test_set == TestSet::Wine { Some(Wine::start()?) } else { None };
    let suites = if wine.is_some() { SUITES[..1].to_vec() } else { SUITES.to_vec() };
    let has_language_version =
        client.cli.product()? == Product::Terraform && client.cli.version()?.starts_with(LANGUAGE_VERSION);
    let mut runs: Vec<_> = suites.iter().map(|it| (*it, client.test_set)).collect();
    if client.test_set == TestSet::Protocol6 {
        runs.insert(0, (SUITES[0], TestSet::Smoke));
    }
    if has_language_version && matches!(client.test_set, TestSet::Full | TestSet::Protocol6) {
        runs.push((LANGUAGE_SUITE, TestSet::Full));
    }
    for ((package, target), test_set) in runs {
        println!("\n{package} with {}", client.name);
        let mut command = cargo();
        command.args(["test", "--package", package, "--test", target, "--"]);
        match test_set {
            TestSet::Full => {}
            TestSet::Protocol6 => drop(command.args(["--skip", PROTOCOL_5])),
            TestSet::Smoke => drop(command.arg(SMOKE)),
            TestSet::Wine => drop(command.args(wine::SKIPPED.iter().flat_map(|it| ["--skip", it]))),
        }
        if let Some(wine) = &wine {
            command.env("PROBE_WINDOWS_PROVIDERS", wine.scripts());
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
    if let Some(wine) = wine {
        wine.check_no_provider_is_running()?;
    }
    report.add(client, start.elapsed(), &fs::read_to_string(&file)?)?;
    fs::remove_file(&file)?;
    Ok(())
}
