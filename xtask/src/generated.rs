//! Generates a provider from the schema of a large provider, builds it, and compares the schema that it serves with the
//! original: `cargo xtask generated SCHEMA_JSON [PARTS]`.
//!
//! The compiler needs more than 23 GiB of memory for a development build of one crate with 7,500 models, so the schema is
//! divided into parts. Types whose names begin with the same word are in the same part, because they share models:
//!
//! ```text
//! aws_s3_bucket, aws_s3_object ─▶ crate part0 ─┐
//! aws_iam_role ─────────────────▶ crate part1 ─┼▶ provider, with a Mux of all parts ─▶ schema ─▶ equal?
//! …                                            ┘
//! ```

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use serde_json::{Map, Value};

use crate::cargo::cargo;

/// The members of a provider's schema that contain types by name.
const KINDS: [&str; 6] = [
    "resource_schemas",
    "data_source_schemas",
    "ephemeral_resource_schemas",
    "list_resource_schemas",
    "action_schemas",
    "resource_identity_schemas",
];

pub(crate) fn run(schema: &str, parts: usize) -> Result<(), Box<dyn Error>> {
    let original: Value = serde_json::from_slice(&fs::read(schema)?)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?;
    let build = cargo().args(["build", "--package", "cargo-ferroform"]).current_dir(root).status()?;
    if !build.success() {
        return Err("the command-line tool does not build".into());
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let directory = env::temp_dir().join(format!("ferroform-generated-{}", std::process::id()));
    let task = Task {
        tool: target.join("debug/cargo-ferroform"),
        root,
        directory,
        target: target.join("generated"),
    };
    let members = words_by_part(&original, parts.max(1));
    println!("| part | types | generation | build |\n|---|---|---|---|");
    let mut providers = Vec::new();
    for (number, words) in members.iter().enumerate() {
        let part = part(&original, words, number == 0);
        providers.push(task.build_part(number, &part)?);
    }
    let program = task.build_provider(&providers)?;
    let served = Command::new(&task.tool).arg("schema").arg(&program).output()?;
    let files = [task.directory.join("original.json"), task.directory.join("served.json")];
    for (file, schema) in files.iter().zip([original.clone(), serde_json::from_slice(&served.stdout)?]) {
        fs::write(file, serde_json::to_vec(&without_resource_versions(schema))?)?;
    }
    let diff =
        Command::new(&task.tool).args(["schema", "--fail-on", "any", "--diff"]).args(files).output()?;
    fs::remove_dir_all(&task.directory)?;
    println!("\nThe provider of all parts: {}", String::from_utf8_lossy(&diff.stdout).trim());
    if diff.status.success() {
        return Ok(());
    }
    Err(format!("the provider serves another schema\n{}", String::from_utf8_lossy(&diff.stderr)).into())
}

/// The schema without the versions of resources, which the generated code increments for SDKv2 resources.
fn without_resource_versions(mut schema: Value) -> Value {
    for provider in schema["provider_schemas"].as_object_mut().into_iter().flat_map(|it| it.values_mut()) {
        for resource in
            provider["resource_schemas"].as_object_mut().into_iter().flat_map(|it| it.values_mut())
        {
            resource["version"] = 0.into();
        }
    }
    schema
}

struct Task<'a> {
    tool: PathBuf,
    /// The root of this workspace.
    root: &'a Path,
    /// The directory of the generated crates, outside of this workspace.
    directory: PathBuf,
    /// The target directory of the generated crates.
    target: PathBuf,
}

impl Task<'_> {
    /// Generates and builds the crate of a part. Prints a row of the table, and returns the path of the provider's type.
    fn build_part(&self, number: usize, part: &Value) -> Result<String, Box<dyn Error>> {
        let name = format!("part{number}");
        let (crate_directory, schema) = (self.directory.join(&name), self.directory.join("schema.json"));
        fs::create_dir_all(&self.directory)?;
        fs::write(&schema, serde_json::to_vec(part)?)?;
        let start = Instant::now();
        let mut generate = Command::new(&self.tool);
        generate.arg("generate").arg(&schema).arg("--out").arg(&crate_directory);
        output(generate.arg("--path").arg(self.root))?;
        let generated = start.elapsed();

        // The parts are libraries with different names.
        let manifest = crate_directory.join("Cargo.toml");
        let lines = fs::read_to_string(&manifest)?;
        let (before, after) = lines.split_once("name = \"").ok_or("the manifest has no name")?;
        let (_, after) = after.split_once('"').ok_or("the manifest has no name")?;
        fs::write(&manifest, format!("{before}name = \"{name}\"{after}"))?;
        let main = crate_directory.join("src/main.rs");
        let code = fs::read_to_string(&main)?;
        let (_, call) = code.split_once("serve::<").ok_or("the generated program serves no provider")?;
        let provider = call.split([':', '>']).find(|it| it.starts_with(char::is_uppercase));
        let provider = format!("{name}::{}", provider.ok_or("the generated program serves no provider")?);
        fs::remove_file(main)?;

        let start = Instant::now();
        self.build(&crate_directory)?;
        let built = start.elapsed();
        let (_, schemas) = only_provider(part).ok_or("expected the schema of one provider")?;
        let types: usize = KINDS.iter().filter_map(|it| schemas.get(*it)?.as_object()).map(Map::len).sum();
        println!("| {number} | {types} | {:.1} s | {:.0} s |", generated.as_secs_f64(), built.as_secs_f64());
        Ok(provider)
    }

    /// Builds the provider that serves all parts, and returns its path.
    fn build_provider(&self, providers: &[String]) -> Result<PathBuf, Box<dyn Error>> {
        let crate_directory = self.directory.join("all");
        fs::create_dir_all(crate_directory.join("src"))?;
        let mut manifest = format!(
            "[package]\nname = \"terraform-provider-all\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             ferroform = {{ path = {:?} }}\n",
            self.root.join("crates/ferroform")
        );
        for number in 0..providers.len() {
            manifest += &format!("part{number} = {{ path = \"../part{number}\" }}\n");
        }
        fs::write(crate_directory.join("Cargo.toml"), manifest)?;
        let (first, others) = providers.split_first().ok_or("there are no parts")?;
        let others: String = others.iter().map(|it| format!(".provider::<{it}>()")).collect();
        let main = format!(
            "fn main() -> std::process::ExitCode {{\n    ferroform::Mux::new::<{first}>(){others}.serve()\n}}\n"
        );
        fs::write(crate_directory.join("src/main.rs"), main)?;
        self.build(&crate_directory)?;
        Ok(self.target.join("debug/terraform-provider-all"))
    }

    fn build(&self, crate_directory: &Path) -> Result<(), Box<dyn Error>> {
        fs::copy(self.root.join("Cargo.lock"), crate_directory.join("Cargo.lock"))?;
        let mut build = cargo();
        build.args(["build", "--offline"]).current_dir(crate_directory).env("CARGO_TARGET_DIR", &self.target);
        output(&mut build)
    }
}

/// Runs a command. Its error is that of the command.
fn output(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
}

fn only_provider(schema: &Value) -> Option<(&String, &Value)> {
    schema.get("provider_schemas")?.as_object()?.iter().next()
}

/// Returns the word after the name of the provider: `s3` of `aws_s3_bucket`.
fn word(name: &str) -> &str {
    name.split('_').nth(1).unwrap_or(name)
}

/// Distributes the words to parts with similar numbers of different blocks.
fn words_by_part(schema: &Value, parts: usize) -> Vec<HashSet<String>> {
    let mut blocks: BTreeMap<&str, HashSet<String>> = BTreeMap::new();
    let provider = only_provider(schema).map_or(&Value::Null, |(_, it)| it);
    for (name, it) in KINDS.iter().filter_map(|it| provider.get(*it)?.as_object()).flatten() {
        collect_blocks(&it["block"], blocks.entry(word(name)).or_default());
    }
    let mut words: Vec<(usize, &str)> = blocks.iter().map(|(word, blocks)| (blocks.len(), *word)).collect();
    words.sort_unstable_by(|a, b| b.cmp(a));
    let mut members = vec![(0, HashSet::new()); parts];
    for (size, word) in words {
        if let Some(smallest) = members.iter_mut().min_by_key(|(size, _)| *size) {
            smallest.0 += size;
            smallest.1.insert(word.to_owned());
        }
    }
    members.into_iter().map(|(_, words)| words).collect()
}

fn collect_blocks(block: &Value, found: &mut HashSet<String>) {
    if found.insert(block.to_string()) {
        let nested = block.get("block_types").and_then(Value::as_object).into_iter().flatten();
        nested.for_each(|(_, it)| collect_blocks(&it["block"], found));
    }
}

/// Returns the schema with the types of these words. Only one part contains the functions.
fn part(schema: &Value, words: &HashSet<String>, has_functions: bool) -> Value {
    let mut part = schema.clone();
    for provider in part["provider_schemas"].as_object_mut().into_iter().flat_map(|it| it.values_mut()) {
        for kind in KINDS {
            if let Some(types) = provider.get_mut(kind).and_then(Value::as_object_mut) {
                types.retain(|name, _| words.contains(word(name)));
            }
        }
        if let Some(functions) = provider.get_mut("functions").filter(|_| !has_functions) {
            *functions = Value::Object(Map::new());
        }
    }
    part
}
