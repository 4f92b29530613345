//! The cases: text files with configurations and steps.
//!
//! ```text
//! # An update in place keeps the ID.
//! # tofu: no: it has no provider-defined functions
//!
//! # step: apply
//! # variable: text = "first"
//! variable "text" {}
//! module "m" {
//!   source = "./m"
//! }
//! # file: m/main.tf
//! resource "corpus_thing" "a" {
//!   name = "a"
//! }
//! # step: plan -refresh=false
//! # change: main a-1 text "changed outside of Terraform"
//! ```
//!
//! Comments before the first step are the description, with these lines:
//!
//! | line | meaning |
//! |---|---|
//! | `# terraform: 1.12: REASON` | the minimum version of Terraform |
//! | `# tofu: no: REASON` | OpenTofu 1.6.2 cannot run the case |
//! | `# differs: tofu 1.6.2: REASON` | this runner has a separate record |
//! | `# show: calls` | the result contains the calls that changed or opened something, in their order |
//! | `# show: sorted calls` | the same, if Terraform makes them concurrently |
//! | `# show: reads` | the same, and the calls that read an object |
//! | `# show: identity` | the result contains identities |
//! | `# show: generated` | the result contains the file `generated.tf`, which `-generate-config-out` writes |
//!
//! A step is `validate`, `plan`, `apply`, `import`, `taint`, `untaint` or `query` with the arguments of the command, or `apply_twice`,
//! which applies the same plan twice. The lines after it are the file `main.tf`, up to `# file: NAME`, which begins another file. A
//! step without a file uses those of the previous one. Before the step,
//!
//! | line | effect |
//! |---|---|
//! | `# variable: NAME = JSON` | sets a variable |
//! | `# change: SERVICE ID ATTRIBUTE JSON` | changes an object outside of Terraform |
//! | `# delete: SERVICE ID` | deletes an object outside of Terraform |
//! | `# remove: NAME` | removes a file of the configuration |
//! | `# state: ADDRESS VERSION JSON` | replaces the state with one that contains this object |

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ferroform_testing::cli::Product;
use ferroform_testing::workspace::{Json, Runner};

use crate::record::RUNNERS_WITH_RECORDS;

/// A configuration with steps.
pub(crate) struct Case {
    /// The path without extension: `moved/rename`.
    pub(crate) path: String,
    pub(crate) description: String,
    /// The minimum version of Terraform.
    pub(crate) terraform: (u32, u32),
    pub(crate) runs_on_tofu: bool,
    /// The runners with a separate record.
    pub(crate) differs: BTreeSet<&'static str>,
    pub(crate) shows_calls: bool,
    pub(crate) sorts_calls: bool,
    pub(crate) shows_reads: bool,
    pub(crate) shows_identity: bool,
    pub(crate) shows_generated: bool,
    pub(crate) steps: Vec<Step>,
}

#[derive(Default)]
pub(crate) struct Step {
    /// The command with its arguments.
    pub(crate) command: String,
    /// The names and contents of the files that the step writes.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) preparations: Vec<Preparation>,
}

/// What happens before a step.
pub(crate) enum Preparation {
    Variable(String, Json),
    Change { service: String, id: String, attribute: String, value: Json },
    Delete { service: String, id: String },
    Remove(String),
    State { address: String, version: u64, attributes: Json },
}

/// A directory of the corpus.
pub(crate) fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name)
}

/// The paths of the files in the subdirectories of a directory of the corpus, without their extension.
pub(crate) fn files(name: &str, extension: &str) -> Vec<String> {
    let read = |path: &Path| {
        let entries = fs::read_dir(path).unwrap_or_else(|it| panic!("cannot read {}: {it}", path.display()));
        entries.map(|it| it.expect("the directory can be read").path()).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    for area in read(&directory(name)) {
        for file in read(&area) {
            let path = file.strip_prefix(directory(name)).expect("the file is in the directory");
            let path = path.to_str().expect("the name is UTF-8").replace('\\', "/");
            let path = path.strip_suffix(extension);
            found.push(path.unwrap_or_else(|| panic!("{} has another extension", file.display())).to_owned());
        }
    }
    found.sort();
    found
}

impl Case {
    pub(crate) fn all() -> Vec<Case> {
        let read = |path: String| {
            let file = directory("configurations").join(format!("{path}.tf"));
            let text = fs::read_to_string(&file).unwrap_or_else(|it| panic!("cannot read {path}: {it}"));
            Case::parse(path, &text)
        };
        files("configurations", ".tf").into_iter().map(read).collect()
    }

    fn parse(path: String, text: &str) -> Case {
        let mut case = Case {
            path,
            description: String::new(),
            terraform: (1, 0),
            runs_on_tofu: true,
            differs: BTreeSet::new(),
            shows_calls: false,
            sorts_calls: false,
            shows_reads: false,
            shows_identity: false,
            shows_generated: false,
            steps: Vec::new(),
        };
        // The file that the current lines belong to.
        let mut file: Option<String> = None;
        for line in text.lines() {
            let (key, value) = line.strip_prefix("# ").and_then(|it| it.split_once(": ")).unwrap_or_default();
            if key == "step" {
                case.steps.push(Step { command: value.to_owned(), ..Step::default() });
                file = None;
            } else if let Some(step) = case.steps.last_mut() {
                let is_misplaced = ["terraform", "tofu", "differs", "show"].contains(&key);
                assert!(!is_misplaced, "{}: a line of the header in a step: {line}", case.path);
                match Preparation::parse(key, value) {
                    _ if key == "file" => {
                        step.files.push((value.to_owned(), String::new()));
                        file = Some(value.to_owned());
                    }
                    Some(preparation) => step.preparations.push(preparation),
                    None if file.is_none() && line.trim().is_empty() => {}
                    None => {
                        if file.is_none() {
                            step.files.push(("main.tf".to_owned(), String::new()));
                            file = Some("main.tf".to_owned());
                        }
                        let (_, content) = step.files.last_mut().expect("the step has a file");
                        content.push_str(line);
                        content.push('\n');
                    }
                }
            } else {
                case.parse_header(key, value, line);
            }
        }
        assert!(!case.steps.is_empty(), "{} has no steps", case.path);
        case
    }

    fn parse_header(&mut self, key: &str, value: &str, line: &str) {
        match key {
            "terraform" => {
                let version = value.split(": ").next().and_then(|it| it.split_once('.'));
                let version =
                    version.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
                self.terraform = version.unwrap_or_else(|| panic!("{}: no version: {line}", self.path));
            }
            "tofu" => {
                assert!(value.starts_with("no: "), "{}: no reason: {line}", self.path);
                self.runs_on_tofu = false;
            }
            "differs" => {
                let runner = value
                    .split_once(": ")
                    .and_then(|(it, _)| RUNNERS_WITH_RECORDS.iter().find(|runner| **runner == it));
                let runner = runner.unwrap_or_else(|| panic!("{}: unknown runner: {line}", self.path));
                assert!(self.differs.insert(runner), "{}: {runner} is repeated", self.path);
            }
            "show" => match value {
                "calls" => self.shows_calls = true,
                "sorted calls" => (self.shows_calls, self.sorts_calls) = (true, true),
                "reads" => (self.shows_calls, self.sorts_calls, self.shows_reads) = (true, true, true),
                "identity" => self.shows_identity = true,
                "generated" => self.shows_generated = true,
                _ => panic!("{}: unknown option: {line}", self.path),
            },
            _ => self.description.extend([line.trim_start_matches(['#', ' ']), "\n"]),
        }
        self.description.truncate(self.description.trim_end().len() + 1);
    }

    pub(crate) fn runs_on(&self, runner: &Runner) -> bool {
        match runner.product() {
            None => true,
            Some(Product::OpenTofu) => self.runs_on_tofu,
            Some(Product::Terraform) => runner.version() >= Some(self.terraform),
        }
    }
}

impl Preparation {
    /// Reads a line `# key: value`. Returns `None` if the key is not one of a preparation.
    fn parse(key: &str, value: &str) -> Option<Preparation> {
        let json =
            |it: &str| -> Json { it.parse().unwrap_or_else(|error| panic!("{it} is not JSON: {error}")) };
        let words = |count| value.splitn(count, ' ').map(str::to_owned).collect::<Vec<_>>();
        Some(match key {
            "variable" => {
                let (name, value) = value.split_once(" = ").expect("a variable has a value");
                Preparation::Variable(name.to_owned(), json(value))
            }
            "change" => match <[String; 4]>::try_from(words(4)) {
                Ok([service, id, attribute, value]) => {
                    Preparation::Change { service, id, attribute, value: json(&value) }
                }
                Err(_) => panic!("{value} is not SERVICE ID ATTRIBUTE JSON"),
            },
            "delete" => match <[String; 2]>::try_from(words(2)) {
                Ok([service, id]) => Preparation::Delete { service, id },
                Err(_) => panic!("{value} is not SERVICE ID"),
            },
            "remove" => Preparation::Remove(value.to_owned()),
            "state" => match <[String; 3]>::try_from(words(3)) {
                Ok([address, version, attributes]) => Preparation::State {
                    address,
                    version: version.parse().expect("the schema version is a number"),
                    attributes: json(&attributes),
                },
                Err(_) => panic!("{value} is not ADDRESS VERSION JSON"),
            },
            _ => return None,
        })
    }
}
