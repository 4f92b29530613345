//! Runs `ferroform-vars` and Terraform with the same modules and inputs, and compares whether they accept them
//! and the resulting values.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

mod calls;
mod conditions;
mod edge_case_modules;
mod fixed_cases;
mod functions;
mod generate;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ferroform_testing::cli::Cli;
use ferroform_vars::{self as vars, Request, Setting, Target};

/// A module and its inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) options: Vec<Setting>,
    /// The reason if the result intentionally differs from Terraform's.
    pub(crate) deviates: Option<&'static str>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Comparison {
    Agree { accepted: bool },
    NotEvaluated,
    Deviates(&'static str),
    Differ(String),
}

/// A directory that is removed when the value is dropped.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("ferroform-vars-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Directory(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the target version of the CLI under test.
pub(crate) fn target(cli: &Cli) -> Target {
    format!("{}-{}", cli.name(), cli.version().unwrap()).parse().unwrap()
}

struct Terraform {
    cli: PathBuf,
    target: Target,
    rc: PathBuf,
    /// The directory with the CLI configuration file `rc`.
    directory: Directory,
}

impl Terraform {
    fn for_test(name: &str) -> Option<Terraform> {
        let cli = Cli::for_test()?;
        let (target, cli) = (target(&cli), cli.program().to_owned());
        let directory = Directory::new(name);
        let rc = directory.0.join("rc");
        fs::write(&rc, "").unwrap();
        Some(Terraform { cli, target, rc, directory })
    }

    fn run(&self, case: &Case, directory: &Path, args: &[&str], input: &str) -> Output {
        let mut command = Command::new(&self.cli);
        command.current_dir(directory).args(args).arg("-no-color");
        for option in &case.options {
            match option {
                Setting::Value { name, value } => command.arg(format!("-var={name}={value}")),
                Setting::File(it) => command.arg(format!("-var-file={}", it.file_name().unwrap().display())),
            };
        }
        let inherited = ["PATH", "HOME"].map(|it| (it, std::env::var_os(it).unwrap_or_default()));
        command
            .env_clear()
            .envs(inherited)
            .env("CHECKPOINT_DISABLE", "1")
            .env("TF_CLI_CONFIG_FILE", &self.rc);
        command.envs(case.environment.iter().map(|(name, value)| (name, value)));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn compare(&self, case: &Case, root: &Path) -> Comparison {
        let directory = root.join(&case.name);
        fs::create_dir(&directory).unwrap();
        for (name, content) in &case.files {
            fs::write(directory.join(name), content).unwrap();
        }
        let in_directory = |setting: &Setting| match setting {
            Setting::File(it) => Setting::File(directory.join(it)),
            it => it.clone(),
        };
        let report = vars::evaluate(&Request {
            directory: directory.clone(),
            options: case.options.iter().map(in_directory).collect(),
            environment: case.environment.iter().map(|(a, b)| (a.into(), b.into())).collect(),
            target: Some(self.target.clone()),
            ..Request::default()
        });
        let plan = self.run(case, &directory, &["plan", "-input=false", "-lock=false"], "");
        // Terraform 1.15 reports syntax errors of variables files, but succeeds.
        let accepted = plan.status.success() && !String::from_utf8_lossy(&plan.stderr).contains("Error: ");
        if accepted != report.is_valid() {
            if let Some(why) = case.deviates {
                return Comparison::Deviates(why);
            }
            if report.is_valid() && report.has_unevaluated_validations() {
                return Comparison::NotEvaluated;
            }
            let stderr = String::from_utf8_lossy(&plan.stderr);
            let verb = if accepted { "accepts" } else { "rejects" };
            return Comparison::Differ(format!(
                "Terraform {verb} the module:\n{stderr}\nFerroform:\n{}",
                report.diagnostics()
            ));
        }
        if !accepted || report.variables.is_empty() {
            return Comparison::Agree { accepted };
        }
        for variable in &report.variables {
            let console = self.run(case, &directory, &["console"], &format!("var.{}\n", variable.name()));
            let printed = without_lock_messages(&console.stdout);
            let expected = format!("{}\n", variable.to_text());
            // Warnings come first, on the same stream.
            if printed != expected && !printed.ends_with(&format!("\n\n{expected}")) {
                let name = variable.name();
                return Comparison::Differ(format!(
                    "For {name:?}, Terraform prints:\n{printed}\nFerroform:\n{expected}"
                ));
            }
        }
        Comparison::Agree { accepted }
    }
}

/// Returns the output of `terraform console` without the messages about the state lock. Terraform prints them if the
/// lock takes more than 400 ms, which happens on a busy machine, and the command has no option to disable the lock.
pub(crate) fn without_lock_messages(stdout: &[u8]) -> String {
    let is_lock_message =
        |line: &str| line.trim_end().ends_with("ing state lock. This may take a few moments...");
    let stdout = String::from_utf8_lossy(stdout);
    stdout.split_inclusive('\n').filter(|line| !is_lock_message(line)).collect()
}

pub(crate) fn run(cases: &[Case]) -> Vec<Comparison> {
    let Some(terraform) = Terraform::for_test(&cases[0].name) else { return Vec::new() };
    let next = AtomicUsize::new(0);
    let comparisons = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |it| it.get().min(8)) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let comparison = terraform.compare(case, &terraform.directory.0);
                    comparisons.lock().unwrap().push((case, comparison));
                }
            });
        }
    });
    let comparisons = comparisons.into_inner().unwrap();
    let differ: Vec<_> = comparisons
        .iter()
        .filter_map(|(case, comparison)| match comparison {
            Comparison::Differ(why) => Some(format!("== {}\n{case:#?}\n{why}", case.name)),
            _ => None,
        })
        .collect();
    let count =
        |it: fn(&Comparison) -> bool| comparisons.iter().filter(|(_, comparison)| it(comparison)).count();
    let line = format!(
        "{} cases: {} accepted by both, {} rejected by both, {} not evaluated here, {} known deviations, {} differ\n",
        cases.len(),
        count(|it| matches!(it, Comparison::Agree { accepted: true })),
        count(|it| matches!(it, Comparison::Agree { accepted: false })),
        count(|it| matches!(it, Comparison::NotEvaluated)),
        count(|it| matches!(it, Comparison::Deviates(_))),
        differ.len(),
    );
    // Printed directly, because the test harness captures stdout.
    let _ = std::io::stderr().write_all(line.as_bytes());
    let first: Vec<_> = differ.iter().take(8).cloned().collect();
    assert!(differ.is_empty(), "{line}\n{}", first.join("\n"));
    comparisons.into_iter().map(|(_, it)| it).collect()
}

/// `FERROFORM_SEED=7` selects other random cases.
fn seed() -> u64 {
    std::env::var("FERROFORM_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0)
}

#[test]
fn generated_cases_match_terraform() {
    let comparisons = run(&generate::cases(seed(), 500));
    let accepted = comparisons.iter().filter(|it| matches!(it, Comparison::Agree { accepted: true })).count();
    // The generator must produce both valid and invalid cases.
    assert!(
        comparisons.is_empty() || accepted * 3 > comparisons.len() && accepted * 10 < comparisons.len() * 9
    );
}

#[test]
fn fixed_cases_match_terraform() {
    run(&fixed_cases::cases());
}

#[test]
fn documentation_example_matches_terraform() {
    let case = fixed_cases::buckets();
    run(std::slice::from_ref(&case));
    let directory = Directory::new("buckets-files");
    for (name, content) in &case.files {
        fs::write(directory.0.join(name), content).unwrap();
    }
    let report = vars::evaluate(&Request { directory: directory.0.clone(), ..Request::default() });
    assert_eq!(report.to_text(), include_str!("buckets/shown.txt"));
}
