//! `cargo xtask e2e`: runs the end-to-end tests with several versions of Terraform and OpenTofu, and reports which
//! scenarios ran. If Wine is installed, Terraform also runs Windows builds of the providers, see [`wine`].
//!
//! A scenario that requires a feature runs only with the clients that have it. It must run with at least one. The table
//! in `docs/platforms.md` is compared with the result.

mod feature_table;
mod report;
mod wine;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use self::report::Report;
use self::wine::Wine;
use crate::cargo::{cargo, cargo_of_providers, program};
use crate::client::{Client, TestSet, default_program};
use crate::clients;
use crate::result::Result;

/// The test targets that start Terraform, with their packages and directories. `cargo test` skips their scenarios.
const SUITES: [Suite; 9] = [
    Suite { package: "probe", directory: "providers/probe", target: "e2e" },
    Suite { package: "terraform-provider-local", directory: "providers/local", target: "e2e" },
    Suite { package: "terraform-provider-random", directory: "providers/random", target: "e2e" },
    Suite { package: "terraform-provider-time", directory: "providers/time", target: "e2e" },
    Suite { package: "terraform-provider-tls", directory: "providers/tls", target: "e2e" },
    Suite { package: "terraform-provider-http", directory: "providers/http", target: "e2e" },
    Suite { package: "terraform-provider-postgresql", directory: "providers/postgres", target: "e2e" },
    Suite { package: "terraform-provider-directory", directory: "examples/http_api", target: "acceptance" },
    Suite { package: "ferroform-testing", directory: "crates/testing", target: "workspace" },
];
/// The tests of commands that compile providers. The first client runs all of them, the others run those that depend on the
/// client, and no smoke test contains them.
const COMMAND_SUITES: [Suite; 2] = [
    Suite { package: "cargo-ferroform", directory: "crates/cli", target: "new" },
    Suite { package: "cargo-ferroform", directory: "crates/cli", target: "dev" },
];
/// The directory of the workspace of the providers.
const PROVIDERS: &str = "providers";
/// The comparison of the language with Terraform, and the version whose results it contains. Other versions run only the
/// module calls.
const LANGUAGE_SUITE: Suite = Suite { package: "ferroform-vars", directory: "crates/vars", target: "e2e" };
const LANGUAGE_VERSION: &str = "Terraform 1.11.";
/// The scenarios of a smoke test: the lifecycle of a resource.
const SMOKE: &str = "lifecycle";
/// The module of the comparison of module calls.
const MODULE_CALLS: &str = "calls::";
/// The module of the tests of commands that depend on the client.
const CLIENT_TESTS: &str = "client::";
/// The module of the scenarios on protocol 5.
const PROTOCOL_5: &str = "::protocol5::";

const USAGE: &str = "usage: cargo xtask e2e [--update] [CLIENT…] [--smoke CLIENT…] [--wine CLIENT…], where a CLIENT \
     is the path of a `terraform` or `tofu` executable";

#[derive(Clone, Copy)]
struct Suite {
    package: &'static str,
    directory: &'static str,
    target: &'static str,
}

#[derive(Default)]
struct Options {
    /// True if the table in `docs/platforms.md` is to be updated.
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
/// Returns an error if a test fails, if no client runs a scenario, or if the table in `docs/platforms.md` differs.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let options = options(arguments)?;
    let mut report = Report::default();
    let clients = if options.clients.is_empty() { default_clients()? } else { options.clients };
    let binaries = test_binaries()?;
    for (index, client) in clients.iter().enumerate() {
        run_client(client, index == 0, &binaries, &mut report)?;
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
            program => options.clients.push(Client::new(path::absolute(program)?, test_set)?),
        }
    }
    Ok(options)
}

fn default_clients() -> Result<Vec<Client>> {
    let installed = clients::installed()?;
    if installed.is_empty() {
        return Err("no client is installed: run `cargo xtask clients` first".into());
    }
    let mut clients = Vec::new();
    if let Some(program) = default_program() {
        clients.push(Client::new(program, TestSet::Protocol6)?);
    }
    let mut products = BTreeSet::new();
    for program in installed {
        let client = Client::new(program, TestSet::Smoke)?;
        let is_terraform = client.name.starts_with("Terraform ");
        let test_set = match products.insert(is_terraform) {
            // The newest Terraform has all features.
            true if is_terraform => TestSet::Full,
            true => TestSet::Protocol6,
            false => TestSet::Smoke,
        };
        clients.push(Client { test_set, ..client });
    }
    let missing = wine::missing_tools();
    if !missing.is_empty() {
        println!("Windows provider binaries are not tested without {}.", missing.join(", "));
    } else if let Some(newest) = clients.iter().find(|it| it.test_set == TestSet::Full) {
        let name = format!("{}, Windows provider binary", newest.name);
        clients.push(Client { name, test_set: TestSet::Wine, ..newest.clone() });
    }
    Ok(clients)
}

/// Compiles the suites with the features of `cargo test --workspace`, so that its artifacts are reused. Returns the
/// test binaries by the directory of the package and the name of the target.
fn test_binaries() -> Result<BTreeMap<(PathBuf, String), PathBuf>> {
    let (of_providers, of_framework): (Vec<Suite>, Vec<Suite>) = SUITES
        .into_iter()
        .chain(COMMAND_SUITES)
        .chain([LANGUAGE_SUITE])
        .partition(|it| it.directory.starts_with(PROVIDERS));
    let mut binaries = compile(cargo(), &of_framework)?;
    binaries.extend(compile(cargo_of_providers()?, &of_providers)?);
    Ok(binaries)
}

/// Compiles suites with a Cargo command in their workspace.
fn compile(mut command: Command, suites: &[Suite]) -> Result<BTreeMap<(PathBuf, String), PathBuf>> {
    command.args(["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"]);
    command.args(suites.iter().flat_map(|it| ["--test", it.target]));
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the end-to-end tests do not compile".into());
    }
    let mut binaries = BTreeMap::new();
    for line in output.stdout.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
        let message: serde_json::Value = serde_json::from_slice(line)?;
        if let (Some(manifest), Some(target), Some(binary)) = (
            message["manifest_path"].as_str(),
            message["target"]["name"].as_str(),
            message["executable"].as_str(),
        ) {
            let directory = Path::new(manifest).parent().unwrap_or(Path::new(manifest));
            binaries.insert((directory.to_owned(), target.to_owned()), binary.into());
        }
    }
    Ok(binaries)
}

fn repository() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or_else(|| "xtask is outside of the repository".into())
}

/// The suites that a client runs, with the scenarios.
fn runs(client: &Client, is_first: bool) -> Vec<(Suite, TestSet)> {
    let all = SUITES.map(|it| (it, client.test_set));
    if client.test_set == TestSet::Wine {
        return all[..1].to_vec();
    }
    let mut runs = all.to_vec();
    if client.test_set == TestSet::Protocol6 {
        runs.insert(0, (SUITES[0], TestSet::Smoke));
    }
    if client.test_set != TestSet::Smoke {
        runs.extend(COMMAND_SUITES.map(|it| (it, if is_first { TestSet::Full } else { TestSet::Client })));
        let has_language_version = client.name.starts_with(LANGUAGE_VERSION);
        runs.push((LANGUAGE_SUITE, if has_language_version { TestSet::Full } else { TestSet::ModuleCalls }));
    }
    runs
}

/// Runs the suites with the client.
fn run_client(
    client: &Client,
    is_first: bool,
    binaries: &BTreeMap<(PathBuf, String), PathBuf>,
    report: &mut Report,
) -> Result {
    let start = Instant::now();
    let file = env::temp_dir().join(format!("ferroform-e2e-{}", std::process::id()));
    fs::write(&file, "")?;
    let wine = if client.test_set == TestSet::Wine { Some(Wine::start()?) } else { None };
    for (Suite { package, directory, target }, test_set) in runs(client, is_first) {
        println!("\n{package} with {}", client.name);
        let suite_start = Instant::now();
        let directory = repository()?.join(directory);
        let binary = binaries.get(&(directory.clone(), target.to_owned()));
        let binary = binary.ok_or_else(|| format!("{package} has no test target {target}"))?;
        let mut command = program(binary);
        match test_set {
            TestSet::Full => {}
            TestSet::Protocol6 => drop(command.args(["--skip", PROTOCOL_5])),
            TestSet::Smoke => drop(command.arg(SMOKE)),
            TestSet::ModuleCalls => drop(command.arg(MODULE_CALLS)),
            TestSet::Client => drop(command.arg(CLIENT_TESTS)),
            TestSet::Wine => drop(command.args(wine::SKIPPED.iter().flat_map(|it| ["--skip", it]))),
        }
        if let Some(wine) = &wine {
            command.env("PROBE_WINDOWS_PROVIDERS", wine.scripts());
        }
        command
            .current_dir(directory)
            .env("CARGO_PKG_NAME", package)
            .env("FERROFORM_TEST_CLI", &client.program)
            .env("FERROFORM_E2E", "required")
            .env("FERROFORM_E2E_REPORT", &file);
        if !command.status()?.success() {
            return Err(format!("the end-to-end tests of {package} fail with {}", client.name).into());
        }
        println!("{package}, {target}: {} s", suite_start.elapsed().as_secs());
    }
    if let Some(wine) = wine {
        wine.check_no_provider_is_running()?;
    }
    report.add(client, start.elapsed(), &fs::read_to_string(&file)?)?;
    fs::remove_file(&file)?;
    Ok(())
}
