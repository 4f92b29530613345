//! Override files: `override.tf` and `*_override.tf`, whose blocks change blocks of other files.
//!
//! ```hcl
//! # main.tf
//! resource "aws_instance" "a" {
//!   ami = "ami-1"
//! }
//!
//! # override.tf
//! resource "aws_instance" "a" {
//!   ami = "ami-2"
//! }
//! ```

use std::collections::{HashMap, HashSet};

use super::blocks::{Argument, Block, Body};
use super::json_blocks::expand_dynamic;
use super::problem::{Problem, Problems};

/// The key by which blocks match: the type, the labels, and the alias.
type Key = (String, Vec<String>, Option<String>);

/// The blocks of a module, to which override files apply.
pub(crate) struct Overridden<'a> {
    pub(crate) blocks: Vec<Block<'a>>,
    /// The positions of the blocks.
    positions: HashMap<Key, usize>,
    /// The positions of the `locals` blocks that contain each name.
    locals: HashMap<&'a str, usize>,
}

impl<'a> Overridden<'a> {
    /// Creates the module from the blocks of its other files.
    pub(crate) fn new(blocks: Vec<Block<'a>>) -> Overridden<'a> {
        let positions = blocks.iter().enumerate().map(|(index, it)| (key_of(it), index)).collect();
        let names = blocks
            .iter()
            .enumerate()
            .filter(|(_, it)| it.name == "locals")
            .flat_map(|(index, it)| it.body.arguments.iter().map(move |argument| (argument.name, index)));
        let locals = names.collect();
        Overridden { blocks, positions, locals }
    }

    /// Applies a block of an override file.
    pub(crate) fn apply(&mut self, block: Block<'a>, problems: &mut Problems) {
        match block.name {
            "locals" => self.override_locals(block, problems),
            "terraform" => self.override_terraform(block),
            // Terraform ignores this block.
            "removed" => {}
            name @ ("moved" | "import" | "check") => {
                let summary = match name {
                    "check" => "Can't override check blocks".to_owned(),
                    _ => format!("Cannot override '{name}' blocks"),
                };
                let detail =
                    format!("A {name} block can appear only in normal files, not in override files.");
                problems.push(Problem::error(summary, detail).at(block.file, block.header));
            }
            _ => {
                let key = key_of(&block);
                match self.positions.get(&key) {
                    Some(index) => merge(&mut self.blocks[*index], block, problems),
                    // An omitted default configuration of a provider is an empty one.
                    None if block.name == "provider" && key.2.is_none() => self.blocks.push(block),
                    None => problems.push(missing_base_error(&block)),
                }
            }
        }
    }

    /// Replaces local values.
    fn override_locals(&mut self, block: Block<'a>, problems: &mut Problems) {
        for argument in block.body.arguments {
            match self.locals.get(argument.name) {
                Some(index) => self.blocks[*index].body.set(argument),
                None => {
                    let summary = "Missing base local value definition to override";
                    let detail = format!(
                        "There is no local value named {:?}. An override file can only override a local value that was already \
                         defined in a primary configuration file.",
                        argument.name
                    );
                    problems.push(Problem::error(summary, detail).at(argument.value.file, argument.name_at));
                }
            }
        }
    }

    /// Replaces settings of all `terraform` blocks.
    fn override_terraform(&mut self, block: Block<'a>) {
        let arguments: HashSet<&str> = block.body.arguments.iter().map(|it| it.name).collect();
        let has_state = block.body.blocks.iter().any(|it| is_state_storage(it));
        let required = block.body.blocks.iter().filter(|it| it.name == "required_providers");
        let required: HashSet<&str> =
            required.flat_map(|it| it.body.arguments.iter().map(|it| it.name)).collect();
        for base in self.blocks.iter_mut().filter(|it| it.name == "terraform") {
            base.body.arguments.retain(|it| !arguments.contains(it.name));
            base.body.blocks.retain(|it| !(has_state && is_state_storage(it)));
            for it in base.body.blocks.iter_mut().filter(|it| it.name == "required_providers") {
                it.body.arguments.retain(|it| !required.contains(it.name));
            }
        }
        self.blocks.push(block);
    }
}

fn key_of(block: &Block<'_>) -> Key {
    let labels = block.labels.iter().map(|it| it.text.clone()).collect();
    let alias = block.body.argument("alias").filter(|_| block.name == "provider");
    let alias = alias.and_then(|it| it.expression.constant().ok()?.value.as_str().map(str::to_owned));
    (block.name.to_owned(), labels, alias)
}

/// True if the block configures the storage of the state.
fn is_state_storage(block: &Block<'_>) -> bool {
    matches!(block.name, "backend" | "cloud")
}

/// The error about a block without a block to override.
fn missing_base_error(block: &Block<'_>) -> Problem {
    let noun = match block.name {
        "variable" => "base variable declaration to override",
        "output" => "base output definition to override",
        "module" => "module call to override",
        "provider" => "base provider configuration for override",
        "data" => "data resource to override",
        _ => "resource to override",
    };
    let detail = "An override file can only override a block that was already declared in a primary configuration file.";
    Problem::error(format!("Missing {noun}"), detail).at(block.file, block.header.clone())
}

/// Merges a block of an override file into a block of the same type.
fn merge<'a>(base: &mut Block<'a>, block: Block<'a>, problems: &mut Problems) {
    base.overridden = Some((block.file, block.header));
    let mut body = block.body;
    if matches!(block.name, "resource" | "data" | "ephemeral" | "provider") {
        for it in [&mut body, &mut base.body] {
            problems.extend(expand_dynamic(it).err().into_iter().flatten());
        }
    }
    let Body { mut arguments, mut blocks } = body;
    if let Some(index) = arguments.iter().position(|it| it.name == "depends_on") {
        let it = arguments.remove(index);
        let detail = "The depends_on argument may not be overridden.";
        problems.push(Problem::error("Unsupported override", detail).at_expression(&it.value));
    }
    match base.name {
        // Conditions are not overridden.
        "variable" | "output" => blocks.clear(),
        "resource" | "data" | "ephemeral" => {
            let is_lifecycle = |it: &mut Block<'a>| it.name == "lifecycle";
            for it in blocks.extract_if(.., is_lifecycle) {
                merge_lifecycle(base, it);
            }
        }
        _ => {}
    }
    // In JSON syntax, an argument can be a block.
    let is_json = |it: &&Argument<'_>| it.value.file.is_json();
    let from_json = arguments.iter().filter(is_json).map(|it| it.name.to_owned());
    let overridden: HashSet<String> =
        blocks.iter().map(|it| block_type(it).to_owned()).chain(from_json).collect();
    base.body.blocks.retain(|it| !overridden.contains(block_type(it)));
    base.body.arguments.retain(|it| !is_json(&it) || !overridden.contains(it.name));
    for it in arguments {
        base.body.set(it);
    }
    base.body.blocks.append(&mut blocks);
}

/// The type of a block, or of the blocks that a `dynamic` block generates.
fn block_type<'b>(block: &'b Block<'_>) -> &'b str {
    match block.labels.first() {
        Some(label) if block.name == "dynamic" => &label.text,
        _ => block.name,
    }
}

/// Merges the arguments of a `lifecycle` block. Its conditions are not overridden.
fn merge_lifecycle<'a>(base: &mut Block<'a>, lifecycle: Block<'a>) {
    let is_overridden =
        |it: &Argument<'a>| matches!(it.name, "create_before_destroy" | "prevent_destroy" | "ignore_changes");
    let arguments: Vec<_> = lifecycle.body.arguments.into_iter().filter(is_overridden).collect();
    match base.body.blocks.iter_mut().find(|it| it.name == "lifecycle") {
        Some(existing) => arguments.into_iter().for_each(|it| existing.body.set(it)),
        None => {
            let body = Body { arguments, blocks: Vec::new() };
            base.body.blocks.push(Block { body, ..lifecycle });
        }
    }
}
