//! Checks of schemas. The derive macros reject nearly all invalid schemas at compile time. Schemas that are built at
//! run time are checked when Terraform asks for them: all errors are reported at once, each with its attribute path.
//!
//! The rules are those of SDKv2 (`InternalValidate`), of the Go framework (`ValidateImplementation`) and of Terraform
//! itself.

mod attribute;
mod behavior;
mod block;
pub(super) mod checker;
pub(super) mod import_and_identity;
mod relation;
pub(super) mod timeouts;

use std::collections::HashSet;

use ferroform_value::Error;

use self::checker::{ATTRIBUTE, NAME, ROOT_NAME, SCHEMA, SchemaChecker, SchemaError};
use super::{Block, Member, Nesting, Schema, Upgrades};
use crate::kind::Kind;

impl Schema {
    /// The errors in the schema of a resource, each with its attribute path; empty if the schema is valid.
    ///
    /// ```
    /// use ferroform_engine::schema::{Attribute, Block, Schema};
    /// use ferroform_engine::value::Type;
    ///
    /// let block = Block::new().attribute(Attribute::raw("Name", Type::String));
    /// let errors = Schema::new(block).definition_errors();
    /// assert!(errors[0].to_string().starts_with("Name: "));
    /// ```
    pub fn definition_errors(&self) -> Vec<SchemaError> {
        self.definition_errors_of(Kind::Resource)
    }

    /// The errors in the schema of an object of a kind.
    pub fn definition_errors_of(&self, kind: Kind) -> Vec<SchemaError> {
        errors(self, kind)
    }

    /// The errors in the upgrades from earlier versions to this schema; empty if they are complete.
    pub fn upgrade_errors(&self, upgrades: &Upgrades) -> Vec<SchemaError> {
        self::upgrades(self.version, upgrades)
    }
}

/// All errors in the schema, in the order of its declarations.
fn errors(schema: &Schema, kind: Kind) -> Vec<SchemaError> {
    let root = &schema.block;
    let mut check = SchemaChecker { kind, path: Vec::new(), errors: Vec::new() };
    if schema.version < 0 {
        check.report(SCHEMA, format!("a schema version cannot be negative, but it is {}", schema.version));
    }
    check.root_names(root);
    check.block(root);
    relation::check(root, &mut check);
    check.errors.extend(timeouts::timeout_errors(root, kind));
    check.errors
}

/// All errors in the upgrades to the schema's version.
fn upgrades(version: i64, upgrades: &Upgrades) -> Vec<SchemaError> {
    let errors = upgrades.errors(version).into_iter();
    errors.map(|it| SchemaError { summary: SCHEMA, error: Error::new(it) }).collect()
}

/// True for names that Terraform reserves at the root of a resource or data source.
fn is_reserved(name: &str) -> bool {
    matches!(
        name,
        "connection" | "count" | "depends_on" | "for_each" | "lifecycle" | "provider" | "provisioner"
    )
}

/// True for names that Terraform reserves at the root of a provider's configuration.
fn is_reserved_in_provider(name: &str) -> bool {
    matches!(name, "alias" | "version")
}

fn reserved_by_terraform(name: &str) -> String {
    format!("`{name}` is reserved by Terraform")
}

/// Reports a name that is reserved at the root of a resource.
pub(super) fn report_reserved_name(name: &str, error: &mut impl FnMut(&'static str, String)) {
    if is_reserved(name) {
        error(ROOT_NAME, reserved_by_terraform(name));
    }
}

impl<'a> SchemaChecker<'a> {
    fn root_names(&mut self, root: &'a Block) {
        // Terraform has a block of its own for the configuration of a list resource.
        if matches!(self.kind, Kind::Function | Kind::ListResource) {
            return;
        }
        let is_provider = self.kind == Kind::Provider;
        for member in root.members() {
            let (name, is_block) = (member.name(), matches!(member, Member::Block(_)));
            let is_provider_reserved = is_provider && is_reserved_in_provider(name);
            if is_provider_reserved || (!is_provider || is_block) && is_reserved(name) {
                self.within(name, |check| check.report(ROOT_NAME, reserved_by_terraform(name)));
            }
        }
    }

    fn block(&mut self, block: &'a Block) {
        let mut names = HashSet::new();
        for member in block.members() {
            let name = member.name();
            let is_new = names.insert(name);
            if matches!(member, Member::Attribute(it) if is_new && is_attribute_name(name) && attribute::is_plain(it))
            {
                continue;
            }
            self.within(name, |check| {
                check.name(name, is_new);
                match member {
                    Member::Attribute(it) => check.attribute(it, block),
                    Member::Block(it) => check.nested_block(it, block),
                }
                if let Some((nesting, inside)) = member.nested() {
                    if nesting == Nesting::Set {
                        check.keyless_set(inside);
                        check.set(inside, name);
                    }
                    check.block(inside);
                }
            });
        }
        if !block.validators().is_empty() {
            let ty = block.ty();
            for error in block.validators().iter().filter_map(|it| it.type_error(ty)) {
                self.report(ATTRIBUTE, format!("a validator of the object is invalid: {error}"));
            }
        }
    }

    fn name(&mut self, name: &str, is_new: bool) {
        if !is_new {
            self.report(NAME, "the name is used more than once");
        }
        check_name(name, &mut |summary, message| self.report(summary, message));
    }

    /// While an input of a sibling is unknown, an element of a set without a key can be new or replace another one.
    fn keyless_set(&mut self, block: &Block) {
        if block.facts().has_replacing_optional_computed && block.facts().keys.is_empty() {
            self.report(
                SCHEMA,
                "in a set without a `key`, an attribute that is `optional, computed` cannot require replacement: mark the \
                 attributes that identify an element with `key`",
            );
        }
    }

    /// Checks the elements of a set. Terraform needs their exact type, and cannot treat a part of an element
    /// separately.
    fn set(&mut self, block: &'a Block, set: &str) {
        for member in block.members() {
            self.within(member.name(), |check| {
                if matches!(member, Member::Attribute(it) if it.write_only) {
                    check.report(
                        SCHEMA,
                        format!("a write-only attribute is not supported inside the set `{set}`"),
                    );
                }
                match member.nested() {
                    // A nested set is checked by itself.
                    Some((nesting, inside)) if nesting != Nesting::Set => check.set(inside, set),
                    None if member.ty().has_dynamic() => {
                        check.report(
                            SCHEMA,
                            format!("a dynamic attribute is not supported inside the set `{set}`"),
                        );
                    }
                    _ => {}
                }
            });
        }
    }
}

/// True for a valid name of an attribute or block.
pub fn is_attribute_name(name: &str) -> bool {
    let is_allowed = |c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'_');
    name.bytes().next().is_some_and(|c| !c.is_ascii_digit()) && name.bytes().all(is_allowed)
}

pub(super) fn check_name(name: &str, error: &mut impl FnMut(&'static str, String)) {
    if !is_attribute_name(name) {
        error(
            NAME,
            "a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit".into(),
        );
    }
}

#[cfg(test)]
mod tests {
    use ferroform_value::Type;

    use super::*;
    use crate::schema::{Attribute, Nested};

    #[test]
    fn repeated_names_are_errors() {
        for count in [2, 5, 40, 3_000] {
            let names = (0..count).map(|i| format!("an_attribute_{i}"));
            let block = Block::new().with_attributes(names.map(|it| Attribute::raw(it, Type::Bool)));
            let schema = Schema::new(block);
            assert_eq!(schema.definition_errors(), []);
            let again = ["an_attribute_1", "an_attribute_0", "an_attribute_1"];
            let again = again.map(|it| Attribute::raw(it, Type::Bool));
            let schema = Schema::new(schema.block.with_attributes(again));
            let errors: Vec<_> = schema.definition_errors().iter().map(ToString::to_string).collect();
            let error = |it| format!("an_attribute_{it}: the name is used more than once");
            assert_eq!(errors, [error(1), error(0), error(1)]);
        }
    }

    #[test]
    fn state_store_has_neither_blocks_nor_computed_attributes() {
        let nested = Attribute::raw_nested("tag", Nested::list(Block::new()));
        let id = Attribute::raw("id", Type::String).computed();
        let token = Attribute::raw("token", Type::String).sensitive();
        let schema = Schema::new(Block::new().attribute(id).attribute(token).block(nested));
        let errors = schema.definition_errors_of(Kind::StateStore);
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        let expected = [
            "id: the configuration of a state store is set by the practitioner, so it cannot have computed attributes",
            "tag: the configuration of a state store cannot have nested blocks: use a nested attribute",
        ];
        assert_eq!(errors, expected);
    }

    #[test]
    fn names_are_lowercase() {
        let (good, bad) =
            (["a", "_", "a1", "_1", "a_b"], ["", "1", "1a", "A", "aB", "a-b", "a b", "ä", "a\u{ff}"]);
        assert!(good.into_iter().all(is_attribute_name));
        assert!(!bad.into_iter().any(is_attribute_name));
    }
}
