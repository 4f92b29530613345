//! The peak memory of `ferroform-vars` for 10 MB of values: `cargo bench -p ferroform-vars --bench memory`.
//!
//! Each row is a process that evaluates a module with one variable and writes its value. The size of the process
//! without values is subtracted. Linux reports the memory in `/proc/self/status`.

#![allow(clippy::unwrap_used, missing_docs, reason = "a program of its own")]

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// The size of a variables file, in bytes.
const SIZE: usize = 10_000_000;

/// The option that makes this program evaluate a module instead of measuring.
const CHILD: &str = "--evaluate";

/// A kind of value: its name, the type of its variable, and the source of the element with a number.
type Kind = (&'static str, &'static str, fn(usize) -> String);

const KINDS: &[Kind] = &[
    ("objects", "list(object({ name = string, port = optional(number, 1), open = bool }))", |i| {
        format!("{{ \"name\": \"item-{i}\", \"port\": {}, \"open\": true }},\n", i % 65_536)
    }),
    ("objects without a type", "any", |i| {
        format!("{{ \"name\": \"item-{i}\", \"port\": {}, \"open\": true }},\n", i % 65_536)
    }),
    ("strings", "list(string)", |i| format!("\"the element with the number {i}\",\n")),
    ("numbers of seven digits", "list(number)", |i| format!("{},\n", 1_000_000 + i)),
    ("numbers of three digits", "list(number)", |i| format!("{},", 100 + i % 900)),
    ("objects of 18 bytes", "list(object({ a = number, b = string }))", |i| {
        format!("{{ \"a\": {}, \"b\": \"x\" }},\n", i % 10)
    }),
    ("objects of 18 bytes without a type", "any", |i| format!("{{ \"a\": {}, \"b\": \"x\" }},\n", i % 10)),
    // With a space, so that the number of elements does not exceed the limit.
    ("numbers of one digit", "list(number)", |i| format!("{}, ", i % 10)),
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    // As a test, the program only has to compile.
    if args.iter().any(|it| it == "--test") {
        return;
    }
    if let Some(at) = args.iter().position(|it| it == CHILD) {
        return evaluate(&args[at + 1]);
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory");
    fs::create_dir_all(&directory).unwrap();
    for file in fs::read_dir(&directory).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
    fs::write(directory.join("main.tf"), "variable \"values\" {\n  default = null\n}\n").unwrap();
    let without_values = peak(&directory);
    println!("| values | `.tfvars` | `.tfvars.json` |");
    println!("|---|---|---|");
    let row = |name: &str, ty: &str, native: String, json: String| {
        fs::write(directory.join("main.tf"), format!("variable \"values\" {{\n  type = {ty}\n}}\n")).unwrap();
        let factor = |file: &str, content: String| {
            let path = directory.join(file);
            fs::write(&path, &content).unwrap();
            let factor = (peak(&directory) - without_values) as f64 / content.len() as f64;
            fs::remove_file(path).unwrap();
            factor
        };
        let native = factor("terraform.tfvars", native);
        let json = factor("terraform.tfvars.json", json);
        println!("| {name} | {native:.1} times | {json:.1} times |");
    };
    for (name, ty, element) in KINDS {
        let elements = repeat(element);
        let elements = elements.trim_end().trim_end_matches(',');
        row(name, ty, format!("values = [{elements}]\n"), format!("{{\"values\": [{elements}]}}\n"));
    }
    let native = repeat(&|i| format!("undeclared_{i} = \"value\"\n"));
    let json = repeat(&|i| format!("\"undeclared_{i}\": \"value\",\n"));
    row("undeclared variables", "any", format!("values = 1\n{native}"), format!("{{{json}\"values\": 1}}"));
}

/// The elements with the numbers 0, 1, …, up to the size of a file.
fn repeat(element: &dyn Fn(usize) -> String) -> String {
    let mut elements = String::new();
    for i in 0.. {
        elements.push_str(&element(i));
        if elements.len() >= SIZE {
            break;
        }
    }
    elements
}

/// Evaluates a module, and prints the peak memory of this process in bytes.
fn evaluate(module: &str) {
    let args = vec![module.into()];
    let code = ferroform_vars::run(args, Vec::new(), &mut io::sink(), &mut io::stderr());
    assert_eq!(code, 0);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("{}", kilobytes * 1024);
}

/// Returns the peak memory of a process that evaluates a module, in bytes.
fn peak(module: &Path) -> usize {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.arg(CHILD).arg(module).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}
