//! Checks of attributes.
//!
//! Examples of rejected definitions:
//!
//! ```text
//! id: `requires_replace` has no effect on a computed-only attribute
//! key: a write-only attribute cannot be computed or have a default
//! owner: a block cannot be sensitive; mark its attributes as sensitive
//! disk: the minimum number of elements 3 is greater than the maximum 2
//! ```

use ferroform_value::{Error, Number, NumberRange, Path, Step, Type, Value};

use super::checker::{ATTRIBUTE, DEFAULT, PLACEHOLDER, SCHEMA, SchemaChecker, find};
use crate::kind::Kind;
use crate::schema::{Attribute, Block, Keep, Mode, Nesting, Replace};
use crate::validator::{Validator, effective_range};

const DYNAMIC_IN_COLLECTION: &str =
    "a collection cannot contain dynamic values, because its elements have one type";

/// True for an attribute without options to check, like most attributes.
pub(super) fn is_plain(it: &Attribute) -> bool {
    if it.nested.is_some() {
        return false;
    }
    let is_scalar = |it: &Type| matches!(it, Type::Bool | Type::Number | Type::String);
    (is_scalar(it.ty()) || it.ty().element().is_some_and(is_scalar))
        && matches!(it.mode, Mode::Required | Mode::Optional)
        && !(it.write_only || it.fingerprint || it.key || it.has_behavior())
}

impl SchemaChecker<'_> {
    pub(super) fn attribute(&mut self, it: &Attribute, siblings: &Block) {
        self.kind_of_schema(it);
        self.mode(it);
        if it.fingerprint {
            self.fingerprint(it, siblings);
        }
        if it.key || it.has_behavior() {
            self.behavior(it, siblings);
        }
        self.inside(it);
    }

    fn behavior(&mut self, it: &Attribute, siblings: &Block) {
        for message in it.behavior_conflicts().into_iter().chain(it.type_conflicts()) {
            self.report(SCHEMA, message);
        }
        self.keep(it, siblings);
        self.check_attribute_validators(it);
        self.items(it.ty(), it.behavior().min_items, it.behavior().max_items);
        if it.mode == Mode::Computed && (it.behavior().min_items > 0 || it.behavior().max_items > 0) {
            self.report(
                SCHEMA,
                "the number of elements of a computed attribute cannot be limited, because the configuration does not set it",
            );
        }
    }

    fn kind_of_schema(&mut self, it: &Attribute) {
        if self.kind == Kind::Resource {
            return;
        }
        let subject = self.kind.described();
        if it.write_only && !self.kind.can_have_write_only_attributes() {
            self.report(SCHEMA, format!("{subject} is not stored, so it cannot have write-only attributes"));
        }
        let has_default = it.behavior().default.is_some();
        if self.kind.is_set_by_practitioner() && it.mode.is_computed() && !has_default {
            self.report(
                SCHEMA,
                format!("{subject} is set by the practitioner, so it cannot have computed attributes"),
            );
        }
        if matches!(self.kind, Kind::ProviderMeta | Kind::Function) && has_default {
            self.report(SCHEMA, format!("{subject} has no defaults"));
        }
    }

    fn mode(&mut self, it: &Attribute) {
        // The state of a data source is never partial, so its attributes need no placeholders.
        let may_be_missing = self.kind == Kind::Resource
            && it.mode.is_computed()
            && it.behavior().default.is_none()
            && !it.nullable
            && it.nested.is_none();
        if may_be_missing && !it.accepts(&it.placeholder()) {
            self.report(
                SCHEMA,
                format!(
                    "its Rust type cannot hold the placeholder for a missing value: {PLACEHOLDER}, so that a \
                     partially created object can be destroyed"
                ),
            );
        }
        if it.write_only && it.mode.is_computed() {
            self.report(SCHEMA, "a write-only attribute cannot be computed or have a default");
        }
        if it.write_only && it.behavior().replace != Replace::Never {
            self.report(
                SCHEMA,
                "a write-only value is not stored, so a change cannot be detected and cannot require replacement",
            );
        }
        if it.mode == Mode::Computed && it.nested.is_none() && it.behavior().replace != Replace::Never {
            self.report(SCHEMA, "`requires_replace` has no effect on a computed-only attribute");
        }
        match (&it.behavior().default, it.default_conflict()) {
            (None, _) => {}
            (Some(_), Some(conflict)) => self.report(DEFAULT, conflict),
            (Some(default), None) => {
                if let Some(value) = default.static_value().filter(|value| !it.accepts(value)) {
                    let (ty, kind) = (it.ty(), value.kind());
                    let other = || format!("the type is {ty}, but the value is a {kind}");
                    let conversion_error = it.value_check().and_then(|check| check(&value).err());
                    let reason = conversion_error.map_or_else(other, |it| it.to_string());
                    self.report(ATTRIBUTE, format!("the default is invalid: {reason}"));
                } else if let Some(infinity) = default.static_value().as_ref().and_then(infinite_number) {
                    let reason = Error::invalid_value("a finite number", infinity);
                    self.report(ATTRIBUTE, format!("the default is invalid: {reason}"));
                }
            }
        }
    }

    fn fingerprint(&mut self, it: &Attribute, siblings: &Block) {
        if !it.write_only {
            self.report(SCHEMA, "only a write-only attribute can have a fingerprint");
        }
        let follows = |keep: &Keep| matches!(keep, Keep::Follow(names) if names.contains(&it.name));
        if !siblings.members().any(|it| follows(&it.behavior().keep)) {
            self.report(
                SCHEMA,
                format!(
                    "its fingerprint has no effect: no computed attribute or block follows `{}`",
                    it.name
                ),
            );
        }
    }

    fn keep(&mut self, it: &Attribute, siblings: &Block) {
        if it.behavior().keep != Keep::Recompute
            && (!it.mode.is_computed() || it.behavior().default.is_some())
        {
            self.report(
                SCHEMA,
                "`use_state_for_unknown` and `follows` require a computed attribute or block",
            );
        }
        self.check_followed_names(&it.name, &it.behavior().keep, siblings);
    }

    pub(super) fn check_followed_names(&mut self, own: &str, keep: &Keep, siblings: &Block) {
        let Keep::Follow(names) = keep else { return };
        let known: Vec<&str> = siblings.members().map(|it| &**it.name()).filter(|it| *it != own).collect();
        let is_undetectable = |it: &&Attribute| it.write_only && !it.fingerprint && names.contains(&it.name);
        for Attribute { name, .. } in siblings.attributes().iter().filter(is_undetectable) {
            self.report(
                SCHEMA,
                format!(
                    "it follows `{name}`, which is write-only, so its changes cannot be detected: follow a version \
                     attribute, or add a fingerprint to `{name}`"
                ),
            );
        }
        for name in names.iter().filter(|name| !known.contains(&&***name)) {
            let known = known.join(", ");
            self.report(
                SCHEMA,
                format!(
                    "it follows `{name}`, which is not another attribute or block of the same object; the object has: {known}"
                ),
            );
        }
    }

    fn check_attribute_validators(&mut self, it: &Attribute) {
        if !it.mode.is_configurable() && !it.behavior().validators.is_empty() && !it.has_semantic_type() {
            self.report(
                SCHEMA,
                "a computed attribute cannot have validators, because the configuration does not set it",
            );
        }
        self.check_validators(&it.behavior().validators, it.ty());
    }

    pub(super) fn check_validators(&mut self, validators: &[Validator<Value>], ty: &Type) {
        for validator in validators {
            if let Some(error) = validator.type_error(ty) {
                let name = match validator.description() {
                    "" => "a validator".to_owned(),
                    description => format!("the validator \"{description}\""),
                };
                self.report(ATTRIBUTE, format!("{name} is invalid: {error}"));
            }
        }
        self.ranges(validators);
    }

    /// Reports validators that accept no number together, although each of them accepts some.
    fn ranges(&mut self, validators: &[Validator<Value>]) {
        let depth = validators.iter().map(|it| it.ranges().len()).max().unwrap_or_default();
        let is_each_satisfiable =
            !validators.iter().flat_map(Validator::ranges).flatten().any(NumberRange::is_empty);
        let path_of_depth = |depth| std::iter::repeat_n(Step::Index(0), depth).collect::<Path>();
        let ranges = (0..depth).filter_map(|depth| effective_range(validators, &path_of_depth(depth)));
        for range in ranges.filter(|it| is_each_satisfiable && it.is_empty()) {
            let message = format!("its validators accept no number: they require {range}");
            self.report(ATTRIBUTE, message);
        }
    }

    pub(super) fn items(&mut self, ty: &Type, min: u64, max: u64) {
        let is_collection = matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_));
        if !is_collection && (min > 0 || max > 0) {
            self.report(
                SCHEMA,
                format!("only the elements of a list, set or map can be limited, but the type is {ty}"),
            );
        }
        if max > 0 && min > max {
            self.report(
                SCHEMA,
                format!("the minimum number of elements {min} is greater than the maximum {max}"),
            );
        }
    }

    fn inside(&mut self, it: &Attribute) {
        if it.write_only && matches!(it.ty(), Type::Set(_)) {
            self.report(SCHEMA, "a set cannot be write-only");
        }
        let Some(nested) = &it.nested else {
            // For a set of objects, the check of the set names the attributes.
            if has_mixed_types(it.ty()) {
                self.report(SCHEMA, DYNAMIC_IN_COLLECTION);
            }
            return;
        };
        if !matches!(nested.nesting, Nesting::Single | Nesting::Set) && nested.block.facts().has_dynamic {
            self.report(SCHEMA, DYNAMIC_IN_COLLECTION);
        }
        for block in nested.block.blocks() {
            let name = &block.name;
            self.report(
                SCHEMA,
                format!("a nested attribute cannot contain blocks, but it contains `{name}`"),
            );
        }
        if it.write_only {
            for stored in nested.block.attributes().iter().filter(|it| !it.write_only) {
                let name = &stored.name;
                self.report(
                    SCHEMA,
                    format!("a write-only nested attribute can contain only write-only attributes, but it contains `{name}`"),
                );
            }
        }
        if it.mode.is_computed()
            && let Some(inside) = find(&nested.block, &|it| it.write_only)
        {
            self.report(
                SCHEMA,
                format!("a computed attribute or block cannot contain write-only attributes, but it contains `{inside}`"),
            );
        }
    }
}

/// An infinite number inside the value. Terraform cannot store it.
fn infinite_number(value: &Value) -> Option<Number> {
    let mut found = None;
    value.walk(&mut |_, it| {
        if let Value::Number(number) = it.without_type()
            && number.is_infinite()
        {
            found = Some(number.clone());
        }
        true
    });
    found
}

/// True if elements of a collection may have different types, at any depth.
fn has_mixed_types(ty: &Type) -> bool {
    match ty {
        Type::Object(it) => it.attributes().iter().any(|it| has_mixed_types(&it.ty)),
        Type::Tuple(it) => it.iter().any(has_mixed_types),
        _ => ty.element().is_some_and(Type::has_dynamic),
    }
}
