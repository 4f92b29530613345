//! What a schema must not say. The derive refuses nearly all of it at compile time; here it is found for schemas
//! that are made at run time, when the host first asks for them: all errors at once, each with its path.

mod attribute;
mod behavior;
mod block;
pub(super) mod checker;
pub(super) mod import_and_identity;
mod relation;
pub(super) mod timeouts;

use ferroform_value::Error;

use self::checker::{ATTRIBUTE, NAME, ROOT_NAME, SCHEMA, SchemaChecker, SchemaError, SchemaKind};
use super::{Block, Nesting, Schema, Upgrades};

impl Schema {
    /// What is wrong with the schema, each error with its path; empty where it is sound.
    ///
    /// The derive refuses the same things at compile time; this is for schemas made at run time.
    pub fn definition_errors(&self) -> Vec<SchemaError> {
        self.definition_errors_of(SchemaKind::Resource)
    }

    /// The same for what it is the schema of: a resource, a data source, the provider's configuration.
    pub fn definition_errors_of(&self, kind: SchemaKind) -> Vec<SchemaError> {
        errors(self, kind)
    }

    /// What is wrong with the steps that lead to this schema from its earlier versions; empty where none is
    /// left out and none is too much.
    pub fn upgrade_errors(&self, upgrades: &Upgrades) -> Vec<SchemaError> {
        self::upgrades(self.version, upgrades)
    }
}

/// Every error of the schema, in the order of its declarations.
fn errors(schema: &Schema, kind: SchemaKind) -> Vec<SchemaError> {
    let root = &schema.block;
    let mut check = SchemaChecker { kind, path: Vec::new(), errors: Vec::new() };
    if schema.version < 0 {
        check.report(SCHEMA, format!("a version is a number from 0 on, but this is {}", schema.version));
    }
    check.root_names(root);
    check.block(root);
    relation::check(root, &mut check);
    check.errors.extend(timeouts::timeout_errors(root));
    check.errors
}

/// Every error of the steps to the schema's version.
fn upgrades(version: i64, upgrades: &Upgrades) -> Vec<SchemaError> {
    let errors = upgrades.errors(version).into_iter();
    errors.map(|it| SchemaError { summary: SCHEMA, error: Error::new(it) }).collect()
}

/// True for what Terraform keeps for itself at the root of a resource or data source.
fn is_reserved(name: &str) -> bool {
    matches!(
        name,
        "connection" | "count" | "depends_on" | "for_each" | "lifecycle" | "provider" | "provisioner"
    )
}

/// And at the root of a provider's configuration.
fn is_reserved_in_provider(name: &str) -> bool {
    matches!(name, "alias" | "version")
}

fn reserved_by_terraform(name: &str) -> String {
    format!("`{name}` is reserved by Terraform")
}

/// A name that no root of a resource can have.
pub(super) fn reserved(name: &str, error: &mut impl FnMut(&'static str, String)) {
    if is_reserved(name) {
        error(ROOT_NAME, reserved_by_terraform(name));
    }
}

impl<'a> SchemaChecker<'a> {
    fn root_names(&mut self, root: &'a Block) {
        let blocks = root.blocks.iter().map(|it| (&it.name, true));
        let is_provider = self.kind == SchemaKind::Provider;
        for (name, is_block) in root.attributes.iter().map(|it| (&it.name, false)).chain(blocks) {
            let is_taken = is_provider && is_reserved_in_provider(name);
            if is_taken || (!is_provider || is_block) && is_reserved(name) {
                self.within(name, |check| check.report(ROOT_NAME, reserved_by_terraform(name)));
            }
        }
    }

    fn block(&mut self, block: &'a Block) {
        let mut names = Names::of(block);
        for attribute in &block.attributes {
            if names.repeated.is_empty() && is_name(&attribute.name) && attribute::is_plain(attribute) {
                continue;
            }
            self.within(&attribute.name, |check| {
                check.name(&attribute.name, &mut names);
                check.attribute(attribute, block);
                if let Some(nested) = &attribute.nested {
                    if nested.nesting == Nesting::Set {
                        check.set(&nested.block, &attribute.name);
                    }
                    check.block(&nested.block);
                }
            });
        }
        for nested in &block.blocks {
            self.within(&nested.name, |check| {
                check.name(&nested.name, &mut names);
                check.nested_block(nested);
                check.follows(&nested.name, &nested.keep, block);
                if nested.nesting == Nesting::Set {
                    check.set(&nested.block, &nested.name);
                }
                check.block(&nested.block);
            });
        }
        if !block.validators.is_empty() {
            let ty = block.ty();
            for error in block.validators.iter().filter_map(|it| it.type_error(&ty)) {
                self.report(ATTRIBUTE, format!("a validator for the whole makes no sense: {error}"));
            }
        }
    }

    fn name(&mut self, name: &'a str, names: &mut Names<'a>) {
        if names.again(name) {
            self.report(NAME, "the name is used twice");
        }
        check_name(name, &mut |summary, message| self.report(summary, message));
    }

    /// Terraform needs to know the exact type of a set's elements, and cannot keep one part of an element apart.
    fn set(&mut self, block: &'a Block, set: &str) {
        for attribute in &block.attributes {
            self.within(&attribute.name, |check| {
                if attribute.write_only {
                    check.report(SCHEMA, format!("what is write-only cannot stand in the set `{set}`"));
                }
                match &attribute.nested {
                    // A set inside is looked through on its own account.
                    Some(nested) if nested.nesting != Nesting::Set => check.set(&nested.block, set),
                    None if attribute.ty.has_dynamic() => {
                        check.report(SCHEMA, format!("what is of any type cannot stand in the set `{set}`"));
                    }
                    _ => {}
                }
            });
        }
        for nested in block.blocks.iter().filter(|it| it.nesting != Nesting::Set) {
            self.within(&nested.name, |check| check.set(&nested.block, set));
        }
    }
}

/// The names that stand more than once in a block.
struct Names<'a> {
    repeated: Vec<&'a str>,
    seen: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn of(block: &'a Block) -> Names<'a> {
        let attributes = block.attributes.iter().map(|it| &*it.name);
        let all = attributes.chain(block.blocks.iter().map(|it| &*it.name));
        let mut repeated = Vec::new();
        // Mostly there are none, and mostly this tells.
        if may_repeat(all.clone()) {
            let mut sorted: Vec<&str> = all.collect();
            sorted.sort();
            repeated.extend(sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]));
            repeated.dedup();
        }
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

/// False where all names are different, for certain: each marks a path that no other has marked.
fn may_repeat<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    let mut marks = [0_u64; 128];
    names.fold(false, |met, name| {
        let path = place_of(name);
        let (word, mark) = (&mut marks[path >> 6], 1 << (path & 63));
        let met = met || *word & mark != 0;
        *word |= mark;
        met
    })
}

/// A number below 8192: the same for the same name, and mostly another for another.
fn place_of(name: &str) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = name.as_bytes().as_chunks();
    let rest = rest.iter().fold(rest.len() as u64, |all, byte| all << 8 | u64::from(*byte));
    let number = words.iter().fold(rest, |all, word| all.wrapping_mul(ODD) ^ u64::from_le_bytes(*word));
    (number.wrapping_mul(ODD) >> (64 - 13)) as usize
}

/// True for what can be the name of an attribute or block.
fn is_name(name: &str) -> bool {
    const CAN_STAND: [bool; 256] = {
        let mut can = [false; 256];
        let mut c: u8 = 0;
        while c < u8::MAX {
            can[c as usize] = matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'_');
            c += 1;
        }
        can
    };
    name.bytes().next().is_some_and(|c| !c.is_ascii_digit())
        && name.bytes().all(|c| CAN_STAND[usize::from(c)])
}

pub(super) fn check_name(name: &str, error: &mut impl FnMut(&'static str, String)) {
    if !is_name(name) {
        error(
            NAME,
            "a name is lowercase letters, digits and underscores, and does not begin with a digit".into(),
        );
    }
}

#[cfg(test)]
mod tests {
    use ferroform_value::Type;

    use super::*;
    use crate::schema::Attribute;

    #[test]
    fn a_name_that_is_used_again_is_found_among_any_number() {
        for count in [2, 5, 40, 3_000] {
            let names = (0..count).map(|i| format!("an_attribute_{i}"));
            let block = Block::new().attributes(names.map(|it| Attribute::raw(it, Type::Bool)));
            let schema = Schema { version: 0, block };
            assert_eq!(schema.definition_errors(), []);
            let again = ["an_attribute_1", "an_attribute_0", "an_attribute_1"];
            let again = again.map(|it| Attribute::raw(it, Type::Bool));
            let schema = Schema { block: schema.block.attributes(again), ..schema };
            let errors: Vec<_> = schema.definition_errors().iter().map(ToString::to_string).collect();
            let error = |it| format!("an_attribute_{it}: the name is used twice");
            assert_eq!(errors, [error(1), error(0), error(1)]);
        }
    }

    #[test]
    fn names_are_lowercase() {
        let (good, bad) =
            (["a", "_", "a1", "_1", "a_b"], ["", "1", "1a", "A", "aB", "a-b", "a b", "ä", "a\u{ff}"]);
        assert!(good.into_iter().all(is_name));
        assert!(!bad.into_iter().any(is_name));
    }
}
