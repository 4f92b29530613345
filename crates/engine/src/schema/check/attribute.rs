//! What an attribute must not say.

use ferroform_value::Type;

use super::checker::{ATTRIBUTE, DEFAULT, PLACEHOLDER, SCHEMA, SchemaChecker, SchemaKind, find};
use crate::schema::{Attribute, Block, Keep, Mode, Nesting, Replace};

const OF_ANY: &str = "the elements of a collection are of one type, so no part of them can be of any";

/// True where nothing is said that could be wrong, whatever the schema is of, as for most attributes.
pub(super) fn is_plain(it: &Attribute) -> bool {
    let is_scalar = |it: &Type| matches!(it, Type::Bool | Type::Number | Type::String);
    (is_scalar(&it.ty) || it.ty.element().is_some_and(is_scalar))
        && matches!(it.mode, Mode::Required | Mode::Optional)
        && !(it.write_only || it.key || it.has_behavior() || it.nested.is_some())
}

impl SchemaChecker<'_> {
    pub(super) fn attribute(&mut self, it: &Attribute, siblings: &Block) {
        self.kind_of_schema(it);
        self.mode(it);
        if it.key || it.has_behavior() {
            self.behavior(it, siblings);
        }
        self.inside(it);
    }

    fn behavior(&mut self, it: &Attribute, siblings: &Block) {
        for why in it.wrong_behaviors().into_iter().chain(it.wrong_types()) {
            self.report(SCHEMA, why);
        }
        self.keep(it, siblings);
        self.validators(it);
        self.items(&it.ty, it.behavior().min_items, it.behavior().max_items);
        if it.mode == Mode::Computed && (it.behavior().min_items > 0 || it.behavior().max_items > 0) {
            self.report(
                SCHEMA,
                "only the provider writes it: there is nothing to count in the configuration",
            );
        }
    }

    fn kind_of_schema(&mut self, it: &Attribute) {
        let what = match self.kind {
            SchemaKind::Resource => return,
            SchemaKind::DataSource => "a data source",
            SchemaKind::Provider => "the configuration of a provider",
            SchemaKind::Meta => "what a module says to the provider",
        };
        if it.write_only {
            self.report(
                SCHEMA,
                format!("{what} is not stored by itself, so nothing in it can be write-only"),
            );
        }
        let has_default = it.behavior().default.is_some();
        if self.kind.is_written() && it.mode.is_computed() && !has_default {
            self.report(SCHEMA, format!("{what} is written by the user, so nothing in it can be computed"));
        }
        if self.kind == SchemaKind::Meta && has_default {
            self.report(SCHEMA, format!("{what} is read as it is written, so nothing in it has a default"));
        }
    }

    fn mode(&mut self, it: &Attribute) {
        // A data source is not stored: nothing of it is ever half made.
        let may_be_missing = self.kind == SchemaKind::Resource
            && it.mode.is_computed()
            && it.behavior().default.is_none()
            && !it.nullable
            && it.nested.is_none();
        if may_be_missing && !it.accepts(&it.placeholder()) {
            self.report(
                SCHEMA,
                format!(
                    "its type cannot read the value that stands in for one that is missing: {PLACEHOLDER}, so that what \
                     is only half made can be destroyed"
                ),
            );
        }
        if it.write_only && it.mode.is_computed() {
            self.report(SCHEMA, "what is write-only cannot be computed or have a default");
        }
        if it.write_only && it.behavior().replace != Replace::Never {
            self.report(
                SCHEMA,
                "what is write-only is not stored, so its change cannot be seen and cannot replace",
            );
        }
        if it.mode == Mode::Computed && it.nested.is_none() && it.behavior().replace != Replace::Never {
            self.report(SCHEMA, "only the provider writes it: the configuration cannot change it");
        }
        match &it.behavior().default {
            None => {}
            Some(_) if it.mode != Mode::OptionalComputed => {
                self.report(DEFAULT, "only what is optional can have a default");
            }
            Some(default) => {
                if let Some(value) = default.static_value().filter(|value| !it.accepts(value)) {
                    let (ty, kind) = (&it.ty, value.kind());
                    let other = || format!("the type is {ty}, but this is a {kind}");
                    let misfit = it.value_check().and_then(|check| check(&value).err());
                    let why = misfit.map_or_else(other, |it| it.to_string());
                    self.report(ATTRIBUTE, format!("the default does not fit: {why}"));
                }
            }
        }
    }

    fn keep(&mut self, it: &Attribute, siblings: &Block) {
        if it.behavior().keep != Keep::Recompute
            && (!it.mode.is_computed() || it.behavior().default.is_some())
        {
            self.report(SCHEMA, "only what the provider computes can be kept from the state");
        }
        self.follows(&it.name, &it.behavior().keep, siblings);
    }

    pub(super) fn follows(&mut self, own: &str, keep: &Keep, siblings: &Block) {
        let Keep::Follow(names) = keep else { return };
        let attributes = siblings.attributes.iter().map(|it| &*it.name);
        let all = attributes.chain(siblings.blocks.iter().map(|it| &*it.name));
        let known: Vec<&str> = all.filter(|it| *it != own).collect();
        for name in names.iter().filter(|name| !known.contains(&&***name)) {
            let known = known.join(", ");
            self.report(
                SCHEMA,
                format!(
                    "it follows `{name}`, which is not another attribute or block beside it; there are: {known}"
                ),
            );
        }
    }

    fn validators(&mut self, it: &Attribute) {
        if !it.mode.is_configurable() && !it.behavior().validators.is_empty() && !it.has_semantic_type() {
            self.report(SCHEMA, "there is nothing to validate in what only the provider writes");
        }
        self.check_validators(&it.behavior().validators, &it.ty);
    }

    pub(super) fn check_validators(
        &mut self,
        validators: &[crate::validator::Validator<ferroform_value::Value>],
        ty: &Type,
    ) {
        for validator in validators {
            if let Some(error) = validator.type_error(ty) {
                let name = match validator.description() {
                    "" => "a validator".to_owned(),
                    text => format!("the validator \"{text}\""),
                };
                self.report(ATTRIBUTE, format!("{name} makes no sense: {error}"));
            }
        }
    }

    pub(super) fn items(&mut self, ty: &Type, min: u64, max: u64) {
        let is_collection = matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_));
        if !is_collection && (min > 0 || max > 0) {
            self.report(
                SCHEMA,
                format!("only a list, set or map has a number of elements, but this is a {ty}"),
            );
        }
        if max > 0 && min > max {
            self.report(SCHEMA, format!("there must be at least {min}, but at most {max}"));
        }
    }

    fn inside(&mut self, it: &Attribute) {
        if it.write_only && matches!(it.ty, Type::Set(_)) {
            self.report(SCHEMA, "a set cannot be write-only");
        }
        let Some(nested) = &it.nested else {
            // Of a set of objects the attributes themselves are named.
            if mixes(&it.ty) {
                self.report(SCHEMA, OF_ANY);
            }
            return;
        };
        if !matches!(nested.nesting, Nesting::Single | Nesting::Set) && it.ty.has_dynamic() {
            self.report(SCHEMA, OF_ANY);
        }
        for block in &nested.block.blocks {
            let name = &block.name;
            self.report(SCHEMA, format!("a nested attribute holds no blocks, but this one holds `{name}`"));
        }
        if it.write_only {
            for stored in nested.block.attributes.iter().filter(|it| !it.write_only) {
                let name = &stored.name;
                self.report(
                    SCHEMA,
                    format!("what is write-only as a whole holds only what is write-only, and not `{name}`"),
                );
            }
        }
        if it.mode.is_computed()
            && let Some(inside) = find(&nested.block, &|it| it.write_only)
        {
            self.report(
                SCHEMA,
                format!("what the provider writes cannot hold something write-only, such as `{inside}`"),
            );
        }
    }
}

/// True where elements of a collection, at whatever depth, may be of several types.
fn mixes(ty: &Type) -> bool {
    match ty {
        Type::Object(it) => it.attributes().iter().any(|it| mixes(&it.ty)),
        Type::Tuple(it) => it.iter().any(mixes),
        _ => ty.element().is_some_and(Type::has_dynamic),
    }
}
