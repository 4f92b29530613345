//! The records of the CLIs.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ferroform_testing::cli::Product;
use ferroform_testing::workspace::{Json, Runner};

use crate::case::{Case, directory, files};

/// The runners with a separate record where they differ from the main record.
pub(crate) const RUNNERS_WITH_RECORDS: [&str; 3] = ["in process", "terraform 1.15.5", "tofu 1.6.2"];

/// The record of a case by a runner.
pub(crate) struct Record {
    main: PathBuf,
    /// The record of a runner that can differ.
    separate: Option<PathBuf>,
}

/// The names of all records.
pub(crate) fn names() -> Vec<String> {
    files("results", ".json")
}

/// The name of the record of a runner that differs from the main record.
pub(crate) fn separate_record_name(case: &Case, runner: &str) -> String {
    format!("{}.{}", case.path, runner.replace(' ', "-"))
}

impl Record {
    pub(crate) fn of(case: &Case, runner: &Runner) -> Record {
        let path = |name: &str| directory("results").join(format!("{name}.json"));
        let (name, can_differ) = match runner {
            Runner::Cli(cli) => {
                let version = cli.version().expect("the CLI has a version");
                let is_first = runner.product() == Some(Product::Terraform) && case.terraform > (1, 11);
                (format!("{} {version}", cli.name()), !is_first)
            }
            _ => ("in process".to_owned(), case.differs.contains("in process")),
        };
        let has_separate_record = can_differ && RUNNERS_WITH_RECORDS.contains(&name.as_str());
        Record {
            main: path(&case.path),
            separate: has_separate_record.then(|| path(&separate_record_name(case, &name))),
        }
    }

    /// True if the runner has a separate record.
    pub(crate) fn is_separate(&self) -> bool {
        self.separate.is_some()
    }

    /// Writes the record: a separate one only if it differs from the main record.
    pub(crate) fn write(&self, result: &Json) {
        let text = print(result);
        let write = |path: &PathBuf| {
            let parent = path.parent().expect("the record is in a directory");
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(path, &text));
            written.unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        };
        match &self.separate {
            None => write(&self.main),
            Some(separate) if fs::read_to_string(&self.main).is_ok_and(|it| it == text) => {
                let _ = fs::remove_file(separate);
            }
            Some(separate) => write(separate),
        }
    }

    /// Returns the differing lines, if there are any.
    pub(crate) fn compare(&self, result: &Json) -> Result<(), String> {
        let path = self.separate.as_ref().filter(|it| it.exists()).unwrap_or(&self.main);
        let recorded =
            fs::read_to_string(path).map_err(|error| format!("cannot read its record: {error}"))?;
        let text = print(result);
        if recorded == text {
            return Ok(());
        }
        let (recorded, text): (Vec<_>, Vec<_>) = (recorded.lines().collect(), text.lines().collect());
        let mut difference = String::from("-recorded +result\n");
        for (sign, lines, others) in [('-', &recorded, &text), ('+', &text, &recorded)] {
            for line in lines.iter().filter(|it| !others.contains(it)) {
                // Writing to a string cannot fail.
                let _ = writeln!(difference, "{sign} {line}");
            }
        }
        Err(difference)
    }
}

/// Prints each object of a plan or a state in one line, so that records are short and their differences are readable.
fn print(result: &Json) -> String {
    let mut text = String::new();
    print_at(result, 0, 4, &mut text);
    text.push('\n');
    text
}

/// Prints a value at a depth of the record. Values at the depth `limit` are in one line.
fn print_at(value: &Json, depth: usize, limit: usize, text: &mut String) {
    let (brackets, parts): (_, Vec<(String, usize, &Json)>) = match value {
        Json::Object(entries) => {
            let part = |(key, it): (_, _)| {
                // A plan contains objects one level deeper.
                let limit = if ["plan", "second_plan"].contains(&String::as_str(key)) { 5 } else { limit };
                (format!("{}: ", Json::from(String::as_str(key))), limit, it)
            };
            (["{", "}"], entries.iter().map(part).collect())
        }
        Json::Array(elements) => (["[", "]"], elements.iter().map(|it| (String::new(), limit, it)).collect()),
        _ => Default::default(),
    };
    if depth == limit || parts.is_empty() {
        text.push_str(&value.to_string());
        return;
    }
    text.push_str(brackets[0]);
    for (i, (key, limit, it)) in parts.into_iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(depth + 1));
        text.push_str(&key);
        print_at(it, depth + 1, limit, text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
    text.push_str(brackets[1]);
}
