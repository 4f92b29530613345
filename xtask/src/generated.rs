//! Generates providers from the schema of a large provider, builds them, and compares the schemas that they serve with the
//! original: `cargo xtask generated SCHEMA_JSON [PARTS]`.
//!
//! A compiler needs more than 12 GiB of memory for one crate with 7,500 models, so the schema is divided into parts. Types
//! whose names begin with the same word are in the same part, because they share models:
//!
//! ```text
//! aws_s3_bucket, aws_s3_object ─▶ part 1 ─▶ crate ─▶ provider ─▶ schema ─▶ equal?
//! aws_iam_role ─────────────────▶ part 2 ─▶ …
//! ```

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use serde_json::{Map, Value};

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent folder")?;
    let build = cargo().args(["build", "--package", "cargo-ferroform"]).current_dir(root).status()?;
    if !build.success() {
        return Err("the command-line tool does not build".into());
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let task = Task {
        tool: target.join("debug/cargo-ferroform"),
        root,
        folder: env::temp_dir().join(format!("ferroform-generated-{}", std::process::id())),
        target: target.join("generated"),
    };
    let members = words_by_part(&original, parts.max(1));
    println!("| part | types | generation | build | changes |\n|---|---|---|---|---|");
    let mut is_equal = true;
    for (number, words) in members.iter().enumerate() {
        let part = part(&original, words, number == 0);
        is_equal &= task.check(number, &part)?;
    }
    if is_equal { Ok(()) } else { Err("a generated provider serves another schema".into()) }
}

struct Task<'a> {
    tool: PathBuf,
    /// The root of this workspace.
    root: &'a Path,
    /// The folder of the generated crates, outside of this workspace.
    folder: PathBuf,
    /// The target folder of the generated crates.
    target: PathBuf,
}

impl Task<'_> {
    /// Generates, builds and compares a part. Prints a row of the table and the changes.
    fn check(&self, number: usize, part: &Value) -> Result<bool, Box<dyn Error>> {
        let (crate_folder, schema) = (self.folder.join("crate"), self.folder.join("schema.json"));
        fs::create_dir_all(&self.folder)?;
        fs::write(&schema, serde_json::to_vec(part)?)?;
        let start = Instant::now();
        let mut generate = Command::new(&self.tool);
        generate.arg("generate").arg(&schema).arg("--out").arg(&crate_folder);
        output(generate.arg("--path").arg(self.root))?;
        let generated = start.elapsed();
        fs::copy(self.root.join("Cargo.lock"), crate_folder.join("Cargo.lock"))?;
        let start = Instant::now();
        output(
            cargo()
                .args(["build", "--offline"])
                .current_dir(&crate_folder)
                .env("CARGO_TARGET_DIR", &self.target),
        )?;
        let built = start.elapsed();
        let (name, provider) = only_provider(part).ok_or("expected the schema of one provider")?;
        let name = name.rsplit('/').next().unwrap_or_default();
        let program = self.target.join("debug").join(format!("terraform-provider-{name}"));
        let diff = Command::new(&self.tool)
            .args(["schema", "--fail-on", "any", "--diff"])
            .args([&schema, &program])
            .output()?;
        let types: usize = KINDS.iter().filter_map(|it| provider.get(*it)?.as_object()).map(Map::len).sum();
        let changes = String::from_utf8_lossy(&diff.stdout);
        let changes = changes.trim();
        let summary = if diff.status.success() { "none" } else { "see below" };
        println!(
            "| {number} | {types} | {:.1} s | {:.0} s | {summary} |",
            generated.as_secs_f64(),
            built.as_secs_f64()
        );
        if !diff.status.success() {
            eprintln!("{changes}\n{}", String::from_utf8_lossy(&diff.stderr));
        }
        fs::remove_dir_all(&self.folder)?;
        Ok(diff.status.success())
    }
}

fn cargo() -> Command {
    Command::new(env!("CARGO"))
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
