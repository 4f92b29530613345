//! GenerateResourceConfig: generates a configuration for an existing object, such as an imported one.
//!
//! The generated configuration contains every value that the practitioner may set, except those that the provider would
//! choose anyway: defaults and values that a validator rejects. If the schema allows only one of several attributes,
//! optional and computed ones are omitted first, and then the last ones in the schema.
//!
//! Example: `id` is computed, `size` has the default 10, and `inline` conflicts with `url`.
//!
//! ```text
//! state          { name = "a", size = 10, id = "1", inline = "x", url = "https://x" }
//! configuration  { name = "a", inline = "x" }
//! ```

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform_value::{Object, Path, Step, Value};

use crate::diagnostic_kind::DiagnosticKind;
use crate::provider::AnyResource;
use crate::rpc::validate_config::validate_schema;
use crate::schema::{
    Attribute, Behavior, Block, GroupRule, Member, Mode, NestedBlock, Nesting, Relation, RelationKind,
};
use crate::validator::{Validator, item_limits};
use crate::{Diagnostic, Diagnostics, ProviderServer, Result};

impl ProviderServer {
    /// Generates a configuration for the object with this state.
    ///
    /// # Errors
    ///
    /// Returns an error if the state is null.
    pub fn generate_resource_config(&self, type_name: &str, state: &Value) -> Result<Value> {
        let (resource, masked) = self.mask_request::<dyn AnyResource>(type_name, None, [state]);
        masked.run(&format!("the generation of a configuration of {type_name}"), || {
            let resource = resource?;
            let block = &resource.schema().block;
            let Value::Object(object) = state else {
                let detail =
                    format!("Terraform sent no state for {type_name}, so no configuration can be generated.");
                return Err(Diagnostic::error("Unexpected Generate Config Request").detail(detail).into());
            };
            Ok(without_conflicts(block, Value::Object(object_config(block, object))))
        })
    }
}

/// The configuration of one object.
fn object_config(block: &Block, object: &Object) -> Object {
    let config = block.members().map(|member| {
        let value = object.get_or_null(member.name());
        let is_generated = match member {
            Member::Attribute(it) => is_generated(it, value),
            Member::Block(it) => (is_required(it) || it.block.deprecation().is_none()) && !value.is_null(),
        };
        (
            member.name().clone(),
            if is_generated { value_config(member, value) } else { member.absent_value() },
        )
    });
    ObjectConfig { block, object, config: config.collect() }.resolve_conflicts()
}

/// True if the configuration contains the attribute. Attributes that the provider would set to the same value, and
/// deprecated attributes, are omitted.
fn is_generated(attribute: &Attribute, value: &Value) -> bool {
    if value.is_null() || attribute.write_only || attribute.mode == Mode::Computed {
        return false;
    }
    let behavior = attribute.behavior();
    let default = || behavior.default.as_ref().and_then(|it| it.static_value());
    let is_default = || default().is_some_and(|default| attribute.is_semantically_equal(value, &default));
    attribute.mode == Mode::Required
        || behavior.deprecated.is_none() && !is_default() && !is_rejected(attribute, value)
}

/// True if a validator of the attribute rejects the value. Validators apply to configured values; the provider may have
/// chosen another value, such as an empty string for an absent one.
pub(super) fn is_rejected(attribute: &Attribute, value: &Value) -> bool {
    let Behavior { validators, min_items, max_items, .. } = attribute.behavior();
    let item_limits = item_limits(*min_items, *max_items);
    let rejects = |validator: &Validator<Value>| match validator.validate(value) {
        Ok(()) => false,
        // If the provider would choose the value anyway, a warning is a reason to omit it.
        Err(diagnostics) => attribute.mode == Mode::OptionalComputed || diagnostics.has_error(),
    };
    validators.iter().chain(&item_limits).any(rejects)
}

fn value_config(member: Member<'_>, value: &Value) -> Value {
    match member.nested() {
        Some((nesting, block)) => nested_config(nesting, block, value),
        None => value.clone(),
    }
}

fn nested_config(nesting: Nesting, block: &Block, value: &Value) -> Value {
    let element = |it: &Value| match it {
        Value::Object(object) => Value::Object(object_config(block, object)),
        it => it.clone(),
    };
    match nesting {
        Nesting::Single => element(value),
        Nesting::List | Nesting::Set | Nesting::Map => value.map_elements(|_, it| element(it)),
    }
}

fn is_required(block: &NestedBlock) -> bool {
    block.min_items > 0
}

/// The configuration of one object, and the relations between its attributes and blocks.
struct ObjectConfig<'a> {
    block: &'a Block,
    /// The state of the object.
    object: &'a Object,
    config: Object,
}

/// The order in which attributes and blocks are removed from a conflict.
type Precedence = (bool, Reverse<usize>);

impl ObjectConfig<'_> {
    /// Removes attributes and blocks that conflict with others, in the order of their precedence. Afterwards adds those
    /// that are missing.
    fn resolve_conflicts(mut self) -> Object {
        let (mut at_most_one, mut requirements, mut at_least_one) = (Vec::new(), Vec::new(), Vec::new());
        for group in self.block.groups() {
            let names = group.members.siblings.clone();
            match group.rule {
                GroupRule::ExactlyOne => {
                    at_most_one.push(names.clone());
                    at_least_one.push(names);
                }
                GroupRule::AtMostOne => at_most_one.push(names),
                GroupRule::AtLeastOne => at_least_one.push(names),
                GroupRule::AllOrNone => {
                    requirements.extend(names.iter().map(|it| (it.clone(), names.clone())));
                }
            }
        }
        for (own, relation) in relations(self.block) {
            let others = &relation.others.siblings;
            let all = || [own].into_iter().chain(others).cloned().collect::<Vec<_>>();
            match relation.kind {
                RelationKind::ConflictsWith => {
                    at_most_one.extend(others.iter().map(|it| vec![own.clone(), it.clone()]));
                }
                RelationKind::Requires => requirements.push((own.clone(), others.clone())),
                RelationKind::ExactlyOneOf => {
                    at_most_one.push(all());
                    at_least_one.push(all());
                }
                RelationKind::AtLeastOneOf => at_least_one.push(all()),
                // The numbers of an existing object satisfy their relations, and a recommendation is no conflict.
                RelationKind::PreferWriteOnly
                | RelationKind::AtLeastSumOf
                | RelationKind::AtMostSumOf
                | RelationKind::EqualToSumOf
                | RelationKind::EqualToProductOf => {}
            }
        }
        // Conflicts with a required attribute come first, because only one resolution is possible.
        at_most_one
            .sort_by_key(|names| !names.iter().any(|it| self.is_set(it) && self.precedence(it).is_none()));
        loop {
            let conflicting = at_most_one.iter().find_map(|names| self.first_to_remove(names));
            let is_incomplete = |(own, others): &&(Arc<str>, Vec<Arc<str>>)| {
                self.is_set(own) && others.iter().any(|it| !self.is_set(it)) && self.precedence(own).is_some()
            };
            let removed =
                conflicting.or_else(|| requirements.iter().find(is_incomplete).map(|(own, _)| own.clone()));
            let Some(name) = removed else { break };
            let absent = self.block.member(&name).map_or(Value::Null, Member::absent_value);
            self.config.insert(name, absent);
        }
        for names in at_least_one {
            self.add_one(&names);
        }
        self.config
    }

    /// Of several members that are set, the one to remove first: one that the provider would choose too, then the last
    /// one of the schema. `None` if only one is set, or if all of them are required.
    fn first_to_remove(&self, names: &[Arc<str>]) -> Option<Arc<str>> {
        let set: BTreeSet<&Arc<str>> = names.iter().filter(|it| self.is_set(it)).collect();
        let removable = set.iter().filter_map(|name| Some((self.precedence(name)?, *name)));
        (set.len() > 1).then(|| removable.min().map(|(_, name)| name.clone())).flatten()
    }

    /// The precedence of an attribute or block; `None` if it is required.
    fn precedence(&self, name: &str) -> Option<Precedence> {
        let (at, member) = self.block.members().enumerate().find(|(_, it)| **it.name() == *name)?;
        let (is_required, is_preferred) = match member {
            Member::Attribute(it) => (it.mode == Mode::Required, it.mode == Mode::Optional),
            Member::Block(it) => (is_required(it), true),
        };
        (!is_required).then_some((is_preferred, Reverse(at)))
    }

    fn is_set(&self, name: &str) -> bool {
        let absent = self.block.member(name).map_or(Value::Null, Member::absent_value);
        self.config.get(name).is_some_and(|it| !it.is_null() && *it != absent)
    }

    /// If none of the attributes is set, adds the first one that the object has and that the configuration may set.
    fn add_one(&mut self, names: &[Arc<str>]) {
        if names.iter().any(|it| self.is_set(it)) {
            return;
        }
        let candidate = |name: &Arc<str>| {
            let attribute = self.block.get(name).filter(|it| it.mode.is_configurable() && !it.write_only)?;
            let value = self.object.get(name).filter(|it| !it.is_null() && !is_rejected(attribute, it))?;
            Some((name.clone(), value_config(Member::Attribute(attribute), value)))
        };
        if let Some((name, value)) = names.iter().find_map(candidate) {
            self.config.insert(name, value);
        }
    }
}

fn relations(block: &Block) -> impl Iterator<Item = (&Arc<str>, &Relation)> {
    block.members().flat_map(|member| member.behavior().relations.iter().map(move |it| (member.name(), it)))
}

/// Removes attributes that conflict with attributes of other objects, until the configuration is valid.
fn without_conflicts(block: &Block, mut config: Value) -> Value {
    loop {
        let mut diagnostics = Diagnostics::new();
        validate_schema("the generation of a configuration", block, &config, true, &mut diagnostics);
        let is_conflict = |it: &&Diagnostic| *it.kind() == DiagnosticKind::InvalidCombination;
        let mut paths = diagnostics.iter().filter(is_conflict).filter_map(|it| it.path.as_ref());
        let Some(path) = paths.find(|it| is_removable(block, it)).cloned() else { return config };
        match config.at_mut(&path) {
            Some(slot) if !slot.is_null() => *slot = Value::Null,
            _ => return config,
        }
    }
}

/// True if there is an attribute at the path that is not required.
fn is_removable(block: &Block, path: &Path) -> bool {
    let mut block = Some(block);
    let mut attribute = None;
    for step in path.steps() {
        let (Step::Attribute(name), Some(current)) = (step, block) else { continue };
        attribute = current.get(name);
        block = current.member(name).and_then(Member::nested).map(|(_, it)| &**it);
    }
    attribute.is_some_and(|it| it.mode != Mode::Required)
}
