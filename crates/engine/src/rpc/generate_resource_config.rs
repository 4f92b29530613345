//! GenerateResourceConfig: a configuration for an object that exists already.

use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform_value::{Object, Path, Step, Value};

use crate::ProviderServer;
use crate::diagnostic_kind::DiagnosticKind;
use crate::rpc::validate_config as validate;
use crate::run_method::guarded_now;
use crate::schema::{Attribute, Behaviour, Block, Kind, Mode, NestedBlock, Nesting, Relation, Together};
use crate::validator::{Validator, items};
use crate::{Diagnostic, Diagnostics, Result};

impl ProviderServer {
    /// The configuration that gives the object: what the configuration writes, without what the provider would
    /// choose in any case, and without what cannot stand beside something else.
    ///
    /// # Errors
    ///
    /// Where there is no object.
    pub fn generate_config(&self, type_name: &str, state: &Value) -> Result<Value> {
        guarded_now(&format!("the generation of a configuration of {type_name}"), || {
            let block = &self.resource(type_name)?.schema().block;
            let Value::Object(object) = state else {
                let detail = format!("There is no object of {type_name} that a configuration could be for.");
                return Err(Diagnostic::error("Unexpected Generate Config Request").detail(detail).into());
            };
            Ok(without_conflicts(block, Value::Object(within(block, object))))
        })
    }
}

/// The object's part of a configuration.
fn within(block: &Block, object: &Object) -> Object {
    let null = Value::Null;
    let attributes = block.attributes.iter().map(|it| {
        let value = object.get(&it.name).unwrap_or(&null);
        (it.name.clone(), if is_written(it, value) { inside(it, value) } else { Value::Null })
    });
    let blocks = block.blocks.iter().map(|it| {
        let value = object.get(&it.name).unwrap_or(&null);
        let kept = is_needed(it) || it.block.deprecated.is_none();
        (
            it.name.clone(),
            if kept && !value.is_null() { nested(it.nesting, &it.block, value) } else { it.absent() },
        )
    });
    let config: Object = attributes.chain(blocks).collect();
    Siblings { block, object, config }.reconciled()
}

/// Whether the configuration says it: what the provider writes in any case is left to the provider, and so is
/// what has a better name by now.
fn is_written(it: &Attribute, value: &Value) -> bool {
    if value.is_null() || it.write_only || it.mode == Mode::Computed {
        return false;
    }
    let default = || it.behaviour().default.as_ref().and_then(|it| it.fixed());
    let is_default = || default().is_some_and(|default| it.same(value, &default));
    it.mode == Mode::Required
        || it.behaviour().deprecated.is_none() && !is_default() && !breaks_rules(it, value)
}

/// Whether a configuration must not say it: what exists need not obey what is asked of configured values, be it the
/// provider's own choice or an empty text that stands for nothing.
fn breaks_rules(it: &Attribute, value: &Value) -> bool {
    let Behaviour { rules, min_items, max_items, .. } = it.behaviour();
    let items = items(*min_items, *max_items);
    let broken = |rule: &Validator<Value>| match rule.judge(value) {
        Ok(()) => false,
        // Where the provider chooses the same, not even a warning is needed.
        Err(found) => it.mode == Mode::OptionalComputed || found.has_error(),
    };
    rules.iter().chain(&items).any(broken)
}

fn inside(it: &Attribute, value: &Value) -> Value {
    match &it.nested {
        Some(it) => nested(it.nesting, &it.block, value),
        None => value.clone(),
    }
}

fn nested(nesting: Nesting, block: &Block, value: &Value) -> Value {
    let one = |it: &Value| match it {
        Value::Object(object) => Value::Object(within(block, object)),
        it => it.clone(),
    };
    match (nesting, value) {
        (Nesting::List, Value::List(it)) => Value::List(it.iter().map(one).collect()),
        (Nesting::Set, Value::Set(it)) => Value::set(it.iter().map(one)),
        (Nesting::Map, Value::Map(it)) => {
            Value::Map(it.iter().map(|(key, it)| (key.clone(), one(it))).collect())
        }
        (_, it) => one(it),
    }
}

fn is_needed(it: &NestedBlock) -> bool {
    it.min_items > 0
}

/// The attributes and blocks of one object of the configuration, and what the schema says of them together.
struct Siblings<'a> {
    block: &'a Block,
    /// The object as it is.
    object: &'a Object,
    config: Object,
}

impl Siblings<'_> {
    /// Takes out what cannot stand beside something else, the weakest first; then puts back what is missing.
    fn reconciled(mut self) -> Object {
        let (mut at_most_one, mut needs, mut at_least_one) = (Vec::new(), Vec::new(), Vec::new());
        for group in &self.block.groups {
            let names = group.members.siblings.clone();
            match group.together {
                Together::ExactlyOne => {
                    at_most_one.push(names.clone());
                    at_least_one.push(names);
                }
                Together::AtMostOne => at_most_one.push(names),
                Together::AtLeastOne => at_least_one.push(names),
                Together::AllOrNone => needs.extend(names.iter().map(|it| (it.clone(), names.clone()))),
            }
        }
        for (own, relation) in relations(self.block) {
            let others = &relation.others.siblings;
            let all = || [own].into_iter().chain(others).cloned().collect::<Vec<_>>();
            match relation.kind {
                Kind::ConflictsWith => {
                    at_most_one.extend(others.iter().map(|it| vec![own.clone(), it.clone()]));
                }
                Kind::Requires => needs.push((own.clone(), others.clone())),
                Kind::ExactlyOneOf => {
                    at_most_one.push(all());
                    at_least_one.push(all());
                }
                Kind::AtLeastOneOf => at_least_one.push(all()),
                // Of numbers an object that exists has the right ones, and advice is no fault.
                Kind::PreferWriteOnly
                | Kind::AtLeastSumOf
                | Kind::AtMostSumOf
                | Kind::EqualToSumOf
                | Kind::EqualToProductOf => {}
            }
        }
        // Where one must stay it is clear which goes.
        at_most_one
            .sort_by_key(|names| !names.iter().any(|it| self.is_set(it) && self.strength(it).is_none()));
        let mut settled = false;
        while !settled {
            let crowded = at_most_one.iter().filter_map(|names| self.weakest(names)).next();
            let lonely = |(own, others): &&(Arc<str>, Vec<Arc<str>>)| {
                self.is_set(own) && others.iter().any(|it| !self.is_set(it)) && self.strength(own).is_some()
            };
            let weak = crowded.or_else(|| needs.iter().find(lonely).map(|(own, _)| own.clone()));
            settled = weak.is_none();
            if let Some(weak) = weak {
                let absent = self.block.blocks.iter().find(|it| it.name == weak).map(NestedBlock::absent);
                self.config.insert(weak, absent.unwrap_or(Value::Null));
            }
        }
        for names in at_least_one {
            self.put_back(&names);
        }
        self.config
    }

    /// Of several that are set the one that goes first: what the provider would choose too, then what was declared
    /// last. None where only one is set, or all that are must be.
    fn weakest(&self, names: &[Arc<str>]) -> Option<Arc<str>> {
        let set: BTreeSet<&Arc<str>> = names.iter().filter(|it| self.is_set(it)).collect();
        let weak = set.iter().filter_map(|name| Some((self.strength(name)?, *name)));
        (set.len() > 1).then(|| weak.min().map(|(_, name)| name.clone())).flatten()
    }

    /// How firmly it stands, in an order; none for what the configuration cannot do without.
    fn strength(&self, name: &str) -> Option<(bool, std::cmp::Reverse<usize>)> {
        let Block { attributes, blocks, .. } = self.block;
        if let Some(at) = attributes.iter().position(|it| &*it.name == name) {
            let mode = attributes[at].mode;
            return (mode != Mode::Required).then_some((mode == Mode::Optional, std::cmp::Reverse(at)));
        }
        let at = blocks.iter().position(|it| &*it.name == name)?;
        (!is_needed(&blocks[at])).then_some((true, std::cmp::Reverse(attributes.len() + at)))
    }

    fn is_set(&self, name: &str) -> bool {
        let absent = self.block.blocks.iter().find(|it| &*it.name == name).map(NestedBlock::absent);
        self.config.get(name).is_some_and(|it| !it.is_null() && Some(it) != absent.as_ref())
    }

    /// Where none is set, the first that the object has and a configuration may say.
    fn put_back(&mut self, names: &[Arc<str>]) {
        if names.iter().any(|it| self.is_set(it)) {
            return;
        }
        let has = |name: &Arc<str>| {
            let it = self.block.get(name).filter(|it| it.mode.is_configurable() && !it.write_only)?;
            let value = self.object.get(name).filter(|value| !value.is_null() && !breaks_rules(it, value))?;
            Some((name.clone(), inside(it, value)))
        };
        if let Some((name, value)) = names.iter().find_map(has) {
            self.config.insert(name, value);
        }
    }
}

fn relations(block: &Block) -> impl Iterator<Item = (&Arc<str>, &Relation)> {
    let attributes = block.attributes.iter().map(|it| (&it.name, &it.behaviour().relations));
    let all = attributes.chain(block.blocks.iter().map(|it| (&it.name, &it.relations)));
    all.flat_map(|(name, relations)| relations.iter().map(move |it| (name, it)))
}

/// Takes out what cannot stand beside something elsewhere in the configuration.
fn without_conflicts(block: &Block, mut config: Value) -> Value {
    loop {
        let mut found = Diagnostics::new();
        validate::schema("the generation of a configuration", block, &config, true, &mut found);
        let conflicts = |it: &&Diagnostic| *it.kind() == DiagnosticKind::InvalidCombination;
        let wrong = found.iter().filter(conflicts).filter_map(|it| it.path.as_ref());
        let Some(place) = wrong.into_iter().find(|it| can_go(block, it)).cloned() else { return config };
        match config.at_mut(&place) {
            Some(slot) if !slot.is_null() => *slot = Value::Null,
            _ => return config,
        }
    }
}

/// True where there is an attribute that a configuration can do without.
fn can_go(block: &Block, place: &Path) -> bool {
    let mut block = Some(block);
    let mut found = None;
    for step in place.steps() {
        let (Step::Attribute(name), Some(here)) = (step, block) else { continue };
        found = here.get(name);
        let nested = here.blocks.iter().find(|it| it.name == *name).map(|it| &it.block);
        block = found.map_or(nested, |it| it.nested.as_ref().map(|it| &it.block));
    }
    found.is_some_and(|it| it.mode != Mode::Required)
}
