//! The time of `ferroform-vars` for a module with 200 variables: `cargo bench -p ferroform-vars`.
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
    measure("`true`", || assert!(Command::new("true").status().unwrap().success()));
    let run = |module: &Path| {
        let it = Command::new(env!("CARGO_BIN_EXE_ferroform-vars")).arg(module).output().unwrap();
        assert!(it.status.success() && it.stderr.is_empty(), "{}", String::from_utf8_lossy(&it.stderr));
        let printed = it.stdout.split(|&it| it == b'\n').filter(|it| it.starts_with(b"service_")).count();
        assert_eq!(printed, VARIABLES);
    };
    measure(&format!("`ferroform-vars`, {VARIABLES} variables"), || run(&module));
    measure("with a unique case-insensitive pattern for each variable", || run(&patterns));
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

fn measure(name: &str, mut once: impl FnMut()) {
    let mut seen: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            once();
            start.elapsed()
        })
        .collect();
    seen.sort();
    let ms = |it: Duration| it.as_secs_f64() * 1e3;
    println!("| {name} | {:.1} ms | {:.1} ms |", ms(seen[RUNS / 2]), ms(seen[RUNS / 10]));
}
