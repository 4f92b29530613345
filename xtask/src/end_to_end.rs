//! `cargo xtask e2e`: runs the end-to-end tests with several versions of Terraform and OpenTofu, and reports which
//! scenarios ran.
//!
//! A scenario that requires a feature runs only with the clients that have it. It must run with at least one.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use ferroform_testing::cli::{Cli, Feature};

use crate::clients;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// The packages with a test target `e2e`.
const SUITES: [&str; 2] = ["probe", "terraform-provider-local"];
/// The scenarios of a smoke test: the life of an object.
const SMOKE: &str = "lifecycle";

const USAGE: &str =
    "usage: cargo xtask e2e [CLIENT…] [--smoke CLIENT…], where a CLIENT is the path of a terraform or tofu";

/// Runs the tests with each client in the arguments, or with all clients that `cargo xtask clients` has installed.
///
/// With `--smoke`, the clients after it run only the smoke test.
///
/// # Errors
///
/// Returns an error if a test fails, or if no client runs a scenario.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let clients = clients_of(arguments)?;
    let mut report = Report::default();
    for client in &clients {
        report.run(client)?;
    }
    report.print();
    report.check()
}

/// A client, and whether it runs all scenarios.
struct Client {
    name: String,
    cli: Cli,
    is_smoke: bool,
}

fn clients_of(arguments: &[&str]) -> Result<Vec<Client>> {
    let mut clients = Vec::new();
    let mut is_smoke = false;
    for argument in arguments {
        match *argument {
            "--smoke" => is_smoke = true,
            option if option.starts_with('-') => return Err(USAGE.into()),
            path => clients.push(client(Path::new(path), is_smoke)?),
        }
    }
    if !clients.is_empty() {
        return Ok(clients);
    }
    let installed = clients::installed()?;
    if installed.is_empty() {
        return Err("no client is installed: run `cargo xtask clients` first".into());
    }
    // The newest version of each product runs all scenarios.
    let mut products = BTreeSet::new();
    installed
        .into_iter()
        .map(|program| {
            let mut client = client(&program, false)?;
            client.is_smoke = !products.insert(client.cli.product()?);
            Ok(client)
        })
        .collect()
}

fn client(program: &Path, is_smoke: bool) -> Result<Client> {
    let cli = Cli::at(program)?;
    Ok(Client { name: format!("{} {}", cli.product()?, cli.version()?), cli, is_smoke })
}

/// The scenarios that each client ran.
#[derive(Default)]
struct Report {
    clients: Vec<Column>,
}

/// The scenarios of one client.
struct Column {
    client: String,
    is_smoke: bool,
    duration: Duration,
    /// The names of the scenarios, with the features that they require.
    ran: BTreeMap<String, String>,
    skipped: BTreeMap<String, String>,
}

impl Report {
    /// Runs the suites with the client.
    fn run(&mut self, client: &Client) -> Result {
        let start = Instant::now();
        let mut column = Column {
            client: client.name.clone(),
            is_smoke: client.is_smoke,
            duration: Duration::ZERO,
            ran: BTreeMap::new(),
            skipped: BTreeMap::new(),
        };
        for suite in SUITES {
            println!("\n{} with {}", suite, client.name);
            let file = report_file()?;
            let mut command = Command::new(env!("CARGO"));
            command.args(["test", "--package", suite, "--test", "e2e", "--"]);
            if client.is_smoke {
                command.arg(SMOKE);
            }
            command
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .env("FERROFORM_TEST_CLI", client.cli.program())
                .env("FERROFORM_E2E", "required")
                .env("FERROFORM_E2E_REPORT", &file);
            if !command.status()?.success() {
                return Err(format!("the end-to-end tests of {suite} fail with {}", client.name).into());
            }
            column.add(suite, &fs::read_to_string(&file)?)?;
            fs::remove_file(&file)?;
        }
        column.duration = start.elapsed();
        self.clients.push(column);
        Ok(())
    }

    fn print(&self) {
        println!("\n| client | scenarios | skipped | time |\n|---|---|---|---|");
        for it in &self.clients {
            let kind = if it.is_smoke { "smoke test: " } else { "" };
            let seconds = it.duration.as_secs();
            println!("| {} | {kind}{} | {} | {seconds} s |", it.client, it.ran.len(), it.skipped.len());
        }
        let names: Vec<&str> = self.clients.iter().map(|it| &*it.client).collect();
        println!("\n| scenarios that require | {} |\n|---{}|", names.join(" | "), "|---".repeat(names.len()));
        for feature in Feature::ALL.map(|it| it.to_string()) {
            let cells: Vec<String> = self.clients.iter().map(|it| it.cell(&feature)).collect();
            if cells.iter().any(|it| it != NO_SCENARIO) {
                println!("| {feature} | {} |", cells.join(" | "));
            }
        }
    }

    /// Checks that at least one client ran each scenario.
    fn check(&self) -> Result {
        let ran: BTreeSet<&String> = self.clients.iter().flat_map(|it| it.ran.keys()).collect();
        let skipped = self.clients.iter().flat_map(|it| &it.skipped);
        let never: BTreeSet<String> = skipped
            .filter(|(name, _)| !ran.contains(name))
            .map(|(name, features)| format!("{name} requires {features}"))
            .collect();
        if never.is_empty() {
            return Ok(());
        }
        let never: Vec<String> = never.into_iter().collect();
        Err(format!("no client runs these scenarios:\n{}", never.join("\n")).into())
    }
}

const NO_SCENARIO: &str = "";

impl Column {
    /// Adds the lines of a report: the status, the name of the scenario and the features that it requires, separated by
    /// tabs.
    fn add(&mut self, suite: &str, report: &str) -> Result {
        for line in report.lines() {
            let [status, name, features] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("unexpected line in the report of the tests: {line}").into());
            };
            let scenarios = if status == "ran" { &mut self.ran } else { &mut self.skipped };
            scenarios.insert(format!("{suite}: {name}"), features.to_owned());
        }
        Ok(())
    }

    /// The number of scenarios that require the feature and ran, or `–` if they are skipped.
    fn cell(&self, feature: &str) -> String {
        let count = |scenarios: &BTreeMap<String, String>| {
            scenarios.values().filter(|it| it.split(", ").any(|it| it == feature)).count()
        };
        match (count(&self.ran), count(&self.skipped)) {
            (0, 0) => NO_SCENARIO.to_owned(),
            (0, _) => "–".to_owned(),
            (ran, _) => ran.to_string(),
        }
    }
}

/// Returns the path of an empty report.
fn report_file() -> Result<PathBuf> {
    let path = env::temp_dir().join(format!("ferroform-e2e-{}", std::process::id()));
    fs::write(&path, "")?;
    Ok(path)
}
