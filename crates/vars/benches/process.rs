//! The time of `ferroform-vars` for a module with 200 variables, and for a repository with 1,000 modules:
//! `cargo bench -p ferroform-vars --bench process`.
//!
//! The benchmark measures a process from its start to its end. The first row is the time that the system needs to
//! start any process.

#![allow(clippy::unwrap_used, missing_docs, reason = "a program of its own")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const VARIABLES: usize = 200;
const RUNS: usize = 200;
const MODULES: usize = 1000;
/// The number of modules that call no other module.
const LEAVES: usize = 300;

fn main() {
    // As a test, the program only has to compile.
    if std::env::args().any(|it| it == "--test") {
        return;
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (module, patterns) = (directory.join("vars"), directory.join("patterns"));
    write(&module);
    write_patterns(&patterns);
    println!("| program | from start to end, median | fastest tenth |");
    println!("|---|---|---|");
    let measure = |name: &str, once: &mut dyn FnMut()| measure_runs(name, RUNS, once);
    measure("`true`", &mut || assert!(Command::new("true").status().unwrap().success()));
    let run = |module: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_ferroform-vars")).arg(module).output().unwrap();
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let printed = output.stdout.split(|&it| it == b'\n').filter(|it| it.starts_with(b"service_")).count();
        assert_eq!(printed, VARIABLES);
    };
    measure(&format!("`ferroform-vars`, {VARIABLES} variables"), &mut || run(&module));
    measure("with a unique case-insensitive pattern for each variable", &mut || run(&patterns));

    let repository = directory.join("repository");
    write_repository(&repository);
    measure_runs(&format!("`ferroform-vars -check -recursive`, {MODULES} modules"), 20, || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferroform-vars"));
        let output = command.args(["-check", "-recursive"]).arg(&repository).output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        // Each caller calls three modules.
        let expected = format!("Checked {MODULES} modules, {} module calls", (MODULES - LEAVES) * 3);
        assert!(output.status.success() && stdout.starts_with(&expected), "{stdout}");
    });
}

/// Modules that call no other module have ten variables with validations. Each of the others calls three of the modules
/// before it, and has 20 variables.
fn write_repository(repository: &Path) {
    for number in 0..MODULES {
        let mut text = String::new();
        for variable in 0..if number < LEAVES { 10 } else { 20 } {
            write!(
                text,
                r#"variable "value_{variable}" {{
  description = "The value {variable} of module {number}."
  type        = object({{ name = string, size = optional(number, 1), tags = optional(map(string), {{}}) }})
  validation {{
    condition     = length(var.value_{variable}.name) > 2 && var.value_{variable}.size > 0
    error_message = "A value has a name and a size."
  }}
}}
"#
            )
            .unwrap();
        }
        for call in (0..3).filter(|_| number >= LEAVES) {
            // Modules of an outer level call those of the next inner level.
            let level = if number < 2 * LEAVES { 0 } else { LEAVES };
            let called = level + (number * 7 + call * 13) % LEAVES;
            writeln!(text, "module \"call_{call}\" {{\n  source = \"../module_{called}\"").unwrap();
            for variable in 0..if called < LEAVES { 10 } else { 20 } {
                let value = match variable % 2 {
                    0 => format!("var.value_{variable}"),
                    _ => format!("{{ name = \"name-{number}\", size = {variable} }}"),
                };
                writeln!(text, "  value_{variable} = {value}").unwrap();
            }
            text.push_str("}\n");
        }
        let module = repository.join(format!("module_{number}"));
        fs::create_dir_all(&module).unwrap();
        fs::write(module.join("main.tf"), text).unwrap();
    }
}

/// Each variable is a string whose validation has a unique pattern.
fn write_patterns(module: &Path) {
    let mut variables = String::new();
    for i in 0..VARIABLES {
        write!(
            variables,
            r#"variable "service_{i}" {{
  type    = string
  default = "Service-{i}"
  validation {{
    condition     = can(regex("(?i)^[a-z][a-z0-9-]{{0,30}}[-.]{i}$", var.service_{i}))
    error_message = "A name ends with its number."
  }}
}}
"#
        )
        .unwrap();
    }
    fs::create_dir_all(module).unwrap();
    fs::write(module.join("variables.tf"), variables).unwrap();
}

/// Each variable is a list of objects with defaults and a validation. Half of the variables are set to a value other
/// than their default.
fn write(module: &Path) {
    let (mut variables, mut values) = (String::new(), String::new());
    for i in 0..VARIABLES {
        write!(
            variables,
            r#"variable "service_{i}" {{
  description = "The instances of service {i}."
  type = list(object({{
    name   = string
    port   = optional(number, 443)
    open   = optional(bool, false)
    labels = optional(map(string), {{}})
  }}))
  default = [{{ name = "main" }}, {{ name = "status", port = 8080 }}]
  validation {{
    condition     = alltrue([for it in var.service_{i} : it.port > 0 && it.port < 65536 && length(it.name) > 1])
    error_message = "A service has a name and a port."
  }}
}}
"#
        )
        .unwrap();
        if i % 2 == 0 {
            let labels = format!("{{ team = \"team-{i}\", stage = \"test\" }}");
            writeln!(
                values,
                "service_{i} = [{{ name = \"configured\", port = {}, labels = {labels} }}]",
                1000 + i
            )
            .unwrap();
        }
    }
    fs::create_dir_all(module).unwrap();
    fs::write(module.join("variables.tf"), variables).unwrap();
    fs::write(module.join("terraform.tfvars"), values).unwrap();
}

fn measure_runs(name: &str, runs: usize, mut once: impl FnMut()) {
    let mut seen: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            once();
            start.elapsed()
        })
        .collect();
    seen.sort();
    let ms = |it: Duration| it.as_secs_f64() * 1e3;
    println!("| {name} | {:.1} ms | {:.1} ms |", ms(seen[runs / 2]), ms(seen[runs / 10]));
}
