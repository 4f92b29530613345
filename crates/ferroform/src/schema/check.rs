//! What a schema must not say. The derive refuses most of it at compile time; names that are reserved at the root,
//! or that meet by `flatten`, are found here, when the host first asks for the schema.

use std::fmt;

use ferroform_value::{Error, Path, Step, Type};

use super::{Attribute, Block, Keep, Mode, Nesting, Others, Replace, Upgrades};

/// Names that Terraform keeps for itself at the root of a resource or data source.
const RESERVED: [&str; 7] =
    ["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];

pub(super) const NAME: &str = "Invalid Attribute/Block Name";
const ROOT_NAME: &str = "Reserved Root Attribute/Block Name";
const DEFAULT: &str = "Schema Using Attribute Default For Non-Computed Attribute";
pub(super) const SCHEMA: &str = "Invalid Schema Implementation";

/// Something that a schema must not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What kind of fault: one line.
    pub summary: &'static str,
    /// What is wrong, and where.
    pub error: Error,
}

/// Printed as the error, with its place.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// Every fault of the schema, in the order of its declarations.
pub(super) fn faults(root: &Block) -> Vec<Fault> {
    let mut faults = Vec::new();
    for name in root.attributes.iter().map(|it| &it.name).chain(root.blocks.iter().map(|it| &it.name)) {
        reserved(name, &mut |summary, message| faults.push(at(summary, &[step(name)], message)));
    }
    block(root, &mut Vec::new(), &mut faults);
    faults.extend(crate::timeouts::faults(root));
    faults
}

/// Every fault of the steps to the schema's version.
pub(super) fn upgrades(version: i64, upgrades: &Upgrades) -> Vec<Fault> {
    let faults = upgrades.faults(version).into_iter();
    faults.map(|it| Fault { summary: SCHEMA, error: Error::new(it) }).collect()
}

pub(super) fn step(name: &str) -> Step {
    Step::Attribute(name.into())
}

pub(super) fn reserved(name: &str, fault: &mut impl FnMut(&'static str, String)) {
    if RESERVED.contains(&name) {
        fault(ROOT_NAME, format!("`{name}` is reserved by Terraform"));
    }
}

fn block(block: &Block, place: &mut Vec<Step>, faults: &mut Vec<Fault>) {
    let mut names = Names::of(block);
    for attribute in &block.attributes {
        place.push(step(&attribute.name));
        let mut fault = |summary, message: String| faults.push(at(summary, place, message));
        if names.again(&attribute.name) {
            fault(NAME, "the name is used twice".into());
        }
        check_name(&attribute.name, &mut fault);
        check_attribute(attribute, block, &mut fault);
        if let Some(nested) = &attribute.nested {
            if nested.nesting == Nesting::Set {
                set(&nested.block, place, faults);
            }
            self::block(&nested.block, place, faults);
        }
        place.pop();
    }
    let has = |name: &str| block.get(name).is_some() || block.blocks.iter().any(|it| &*it.name == name);
    for name in block.groups.iter().flat_map(|it| &it.names).filter(|it| !has(it)) {
        faults.push(at(SCHEMA, place, format!("a group names `{name}`, but there is no such attribute")));
    }
    for attribute in &block.attributes {
        for relation in &attribute.relations {
            let Others::Siblings(names) = &relation.others else { continue };
            for name in names.iter().filter(|it| !has(it)) {
                let message = format!("it bears on `{name}`, but there is no such attribute beside it");
                place.push(step(&attribute.name));
                faults.push(at(SCHEMA, place, message));
                place.pop();
            }
        }
    }
    for nested in &block.blocks {
        place.push(step(&nested.name));
        let mut fault = |summary, message: String| faults.push(at(summary, place, message));
        if names.again(&nested.name) {
            fault(NAME, "the name is used twice".into());
        }
        check_name(&nested.name, &mut fault);
        if nested.nesting == Nesting::List && nested.block.ty().has_dynamic() {
            fault(SCHEMA, "the elements of a collection are of one type, so no part can be of any".into());
        }
        if nested.is_more {
            fault(SCHEMA, "a block has no behaviour of its own: say it in the attributes inside".into());
        }
        if nested.nesting == Nesting::Map {
            fault(SCHEMA, "a block is a model, or a list or set of models".into());
        }
        if nested.nesting == Nesting::Set {
            set(&nested.block, place, faults);
        }
        self::block(&nested.block, place, faults);
        place.pop();
    }
}

/// Terraform needs to know the exact type of a set's elements, and cannot keep one part of an element apart.
fn set(block: &Block, place: &mut Vec<Step>, faults: &mut Vec<Fault>) {
    for attribute in &block.attributes {
        place.push(step(&attribute.name));
        if attribute.write_only {
            faults.push(at(SCHEMA, place, "what is write-only cannot stand in a set".into()));
        }
        match &attribute.nested {
            // A set inside is looked through on its own account.
            Some(nested) if nested.nesting != Nesting::Set => set(&nested.block, place, faults),
            None if attribute.ty.has_dynamic() => {
                faults.push(at(SCHEMA, place, "what is of any type cannot stand in a set".into()));
            }
            _ => {}
        }
        place.pop();
    }
    for nested in block.blocks.iter().filter(|it| it.nesting != Nesting::Set) {
        place.push(step(&nested.name));
        set(&nested.block, place, faults);
        place.pop();
    }
}

/// The names that stand more than once in a block: mostly none, which is found without a set of all.
struct Names<'a> {
    repeated: Vec<&'a str>,
    seen: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn of(block: &'a Block) -> Names<'a> {
        let attributes = block.attributes.iter().map(|it| &*it.name);
        let mut all: Vec<&str> = attributes.chain(block.blocks.iter().map(|it| &*it.name)).collect();
        // Linear where they are in order already. Names that meet stand beside each other then.
        all.sort();
        let mut repeated: Vec<&str> =
            all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        repeated.dedup();
        Names { repeated, seen: Vec::new() }
    }

    /// Takes the next name; true where it has come before.
    fn again(&mut self, name: &'a str) -> bool {
        let again = self.seen.contains(&name);
        if self.repeated.contains(&name) && !again {
            self.seen.push(name);
        }
        again
    }
}

pub(super) fn at(summary: &'static str, place: &[Step], message: String) -> Fault {
    let error = place.iter().rev().fold(Error::new(message), |error, step| error.below(step.clone()));
    Fault { summary, error }
}

pub(super) fn check_name(name: &str, fault: &mut impl FnMut(&'static str, String)) {
    let first = |c: &u8| c.is_ascii_lowercase() || *c == b'_';
    let mut rest = name.bytes().skip(1);
    if !(name.bytes().next().as_ref().is_some_and(first) && rest.all(|c| first(&c) || c.is_ascii_digit())) {
        fault(
            NAME,
            "a name is lowercase letters, digits and underscores, and does not begin with a digit".into(),
        );
    }
}

fn check_attribute(it: &Attribute, siblings: &Block, fault: &mut impl FnMut(&'static str, String)) {
    if it.mode == Mode::Computed && !it.nullable && it.nested.is_none() && !it.accepts(&it.placeholder()) {
        let fix = "write `Attr::placeholder` for its type, so that what is only half made can be destroyed";
        fault(
            SCHEMA,
            format!("its type cannot read the value that stands in for one that is missing: {fix}"),
        );
    }
    if it.write_only && it.mode.is_computed() {
        fault(SCHEMA, "what is write-only cannot be computed or have a default".into());
    }
    if it.write_only && it.replace != Replace::Never {
        fault(
            SCHEMA,
            "what is write-only is not stored, so its change cannot be seen and cannot replace".into(),
        );
    }
    it.wrong_behaviours().into_iter().for_each(|why| fault(SCHEMA, why.into()));
    if it.default.is_some() && it.mode != Mode::OptionalComputed {
        fault(DEFAULT, "only what is optional can have a default".into());
    }
    if it.keep != Keep::Recompute && (!it.mode.is_computed() || it.default.is_some()) {
        fault(SCHEMA, "only what the provider computes can be kept from the state".into());
    }
    if let Keep::Follow(names) = &it.keep {
        for name in names {
            if **name == *it.name || siblings.get(name).is_none() {
                let known: Path = siblings.attributes.iter().map(|a| step(&a.name)).take(1).collect();
                fault(
                    SCHEMA,
                    format!("follows `{name}`, which is not another attribute beside it (such as `{known}`)"),
                );
            }
        }
    }
    if !it.mode.is_configurable() && !it.rules.is_empty() && it.kept.is_none() {
        fault(SCHEMA, "there is nothing to validate in what only the provider writes".into());
    }
    let collection = |nesting: Nesting| nesting != Nesting::Single;
    match &it.nested {
        None if it.ty.element().is_some_and(Type::has_dynamic) => {
            fault(SCHEMA, "the elements of a collection are of one type, so they cannot be of any".into());
        }
        Some(nested)
            if collection(nested.nesting) && nested.nesting != Nesting::Set && it.ty.has_dynamic() =>
        {
            fault(SCHEMA, "the elements of a collection are of one type, so no part can be of any".into());
        }
        _ => {}
    }
    if let Some(nested) = it.nested.as_ref().filter(|_| it.write_only)
        && nested.block.attributes.iter().any(|it| !it.write_only)
    {
        fault(SCHEMA, "what is write-only as a whole holds only what is write-only".into());
    }
    if matches!(it.nested.as_ref(), Some(nested) if it.mode == Mode::Computed && nested.block.attributes.iter().any(|a| a.write_only))
    {
        fault(SCHEMA, "what is computed cannot hold something write-only".into());
    }
}
