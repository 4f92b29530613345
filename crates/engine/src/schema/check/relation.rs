//! Checks of relations between attributes and of groups.
//!
//! An attribute that is related to another one must be able to satisfy the relation. Examples of rejected definitions:
//!
//! ```text
//! path: it is related to `id`, which is computed-only
//! path: it is related to `url`, but the object has no such attribute
//! disks.size: it is related to `super.size`, which is the attribute itself
//! a group must have at least two members, but it has only `path`
//! ```

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform_value::Type;

use super::checker::{SCHEMA, SchemaChecker};
use crate::Pattern;
use crate::schema::{Block, GroupRule, Member, Mode, Nesting, RelatedAttributes, Relation, RelationKind};

pub(super) fn check<'a>(root: &'a Block, check: &mut SchemaChecker<'a>) {
    if has_relations(root) {
        Relations { root, check }.block(root, &Pattern::ROOT);
    }
}

/// True if the schema has relations or groups. Most schemas have none.
fn has_relations(block: &Block) -> bool {
    let has_relation = |it: Member<'_>| {
        !it.behavior().relations.is_empty() || it.nested().is_some_and(|(_, inside)| has_relations(inside))
    };
    !block.groups().is_empty() || block.members().any(has_relation)
}

struct Relations<'a, 'c> {
    root: &'a Block,
    check: &'c mut SchemaChecker<'a>,
}

/// The properties of an attribute or block that a relation names.
struct Properties {
    is_always_set: bool,
    is_computed: bool,
    is_write_only: bool,
    is_number: bool,
}

fn properties_of(member: Member<'_>) -> Properties {
    match member {
        Member::Attribute(it) => Properties {
            is_always_set: it.mode == Mode::Required,
            is_computed: it.mode == Mode::Computed,
            is_write_only: it.write_only,
            is_number: *it.ty() == Type::Number,
        },
        Member::Block(it) => {
            let is_always_set = it.min_items > 0;
            Properties { is_always_set, is_computed: false, is_write_only: false, is_number: false }
        }
    }
}

impl<'a> Relations<'a, '_> {
    /// Checks the block whose objects are at the paths of the pattern.
    fn block(&mut self, block: &'a Block, at: &Pattern) {
        for group in block.groups() {
            self.group(group.rule, &group.members, block, at);
        }
        for it in block.members() {
            self.relations(it.name(), &it.behavior().relations, block, at);
            if let Some((nesting, inside)) = it.nested() {
                self.nested(it.name(), nesting, inside, at);
            }
        }
    }

    fn nested(&mut self, name: &'a Arc<str>, nesting: Nesting, block: &'a Block, at: &Pattern) {
        let here = at.clone().name(name.clone());
        let here = if nesting == Nesting::Single { here } else { here.any() };
        self.check.path.push(name);
        self.block(block, &here);
        self.check.path.pop();
    }

    fn relations(&mut self, name: &'a Arc<str>, relations: &[Relation], block: &Block, at: &Pattern) {
        if relations.is_empty() {
            return;
        }
        let here = at.clone().name(name.clone());
        self.check.path.push(name);
        for relation in relations {
            self.relation(name, relation, block, (at, &here));
        }
        self.check.path.pop();
    }

    fn report(&mut self, message: String) {
        self.check.report(SCHEMA, message);
    }

    fn relation(&mut self, own: &str, relation: &Relation, block: &Block, (at, here): (&Pattern, &Pattern)) {
        let kind = relation.kind;
        let others = &relation.others;
        if others.siblings.is_empty() && others.patterns.is_empty() {
            self.report("the relation names no other attribute".into());
        }
        if let Some(it) = block.member(own).map(properties_of) {
            if it.is_computed {
                self.report(
                    "a computed-only attribute cannot have relations, because the configuration does not set it".into(),
                );
            }
            if it.is_always_set && kind.is_presence() && kind != RelationKind::Requires {
                self.report(format!("it is required, so it is always set, regardless of {}", listed(others)));
            }
            if kind.is_numeric() && !it.is_number {
                self.report("only a number can be compared with a sum or product".into());
            }
        }
        let is_self = |it: &Pattern| it == here;
        for (name, other) in self.others(others, (block, at), here, &is_self) {
            let it = match other {
                Other::Itself => {
                    self.report(format!("it is related to `{name}`, which is the attribute itself"));
                    continue;
                }
                Other::Missing => {
                    self.report(format!("it is related to `{name}`, but the object has no such attribute"));
                    continue;
                }
                Other::Named(it) => it,
            };
            if it.is_computed {
                self.report(format!("it is related to `{name}`, which is computed-only"));
            }
            if it.is_always_set && kind.is_presence() {
                self.report(format!("it is related to `{name}`, which is required, so it is always set"));
            }
            if kind.is_numeric() && !it.is_number {
                self.report(format!("it is compared with `{name}`, which is not a number"));
            }
            if kind == RelationKind::PreferWriteOnly && !it.is_write_only {
                self.report(format!(
                    "`{name}` is recommended as a write-only alternative, but it is not write-only"
                ));
            }
        }
    }

    fn group(&mut self, rule: GroupRule, members: &RelatedAttributes, block: &Block, at: &Pattern) {
        let seen = RefCell::new(BTreeSet::new());
        let is_repeated = |it: &Pattern| !seen.borrow_mut().insert(it.to_string());
        for (name, other) in self.others(members, (block, at), at, &is_repeated) {
            match other {
                Other::Itself => self.report(format!("a group names `{name}` twice")),
                Other::Missing => {
                    self.report(format!("a group names `{name}`, but there is no such attribute"))
                }
                Other::Named(it) if it.is_computed => {
                    self.report(format!("a group names `{name}`, which is computed-only"));
                }
                Other::Named(it) if it.is_always_set && rule != GroupRule::AllOrNone => {
                    self.report(format!("a group names `{name}`, which is required, so it is always set"));
                }
                Other::Named(_) => {}
            }
        }
        if members.siblings.len() + members.patterns.len() < 2 {
            self.report(format!(
                "a group must have at least two members, but it has only {}",
                listed(members)
            ));
        }
    }

    /// The named attributes and blocks with their properties. Reports patterns that cannot match anything.
    fn others(
        &mut self,
        others: &RelatedAttributes,
        (block, object): (&Block, &Pattern),
        here: &Pattern,
        is_repeated: &dyn Fn(&Pattern) -> bool,
    ) -> Vec<(String, Other)> {
        let mut all = Vec::new();
        for name in &others.siblings {
            let other = match block.member(name).map(properties_of) {
                _ if is_repeated(&object.clone().name(name.clone())) => Other::Itself,
                Some(it) => Other::Named(it),
                None => Other::Missing,
            };
            all.push((name.to_string(), other));
        }
        for pattern in &others.patterns {
            let Some(path) = pattern.at(here.clone()) else {
                self.report(format!("`{pattern}` leads outside of the root"));
                continue;
            };
            if let Err(error) = path.check_type(self.root.ty()) {
                self.report(error.message().to_owned());
            } else if !pattern.has_wildcard() && is_repeated(&path) {
                all.push((pattern.to_string(), Other::Itself));
            } else if let Some(it) = self.properties_at(&path, object) {
                all.push((pattern.to_string(), Other::Named(it)));
            }
        }
        all
    }

    /// The properties of the attribute that a pattern matches, seen from an object; `None` for elements and for paths
    /// inside a value.
    fn properties_at(&self, path: &Pattern, object: &Pattern) -> Option<Properties> {
        let around = path.common_prefix_len(object);
        let mut block = Some(self.root);
        let (mut all_set, mut any_computed) = (true, false);
        let mut last = None;
        let attributes = path.attributes()?;
        for (i, (at, name)) in attributes.iter().enumerate() {
            let member = block?.member(name)?;
            let it = properties_of(member);
            let next = attributes.get(i + 1).map(|(at, _)| *at);
            let into_element = next.is_some_and(|next| next > at + 1);
            // The objects around this one exist, but a collection may have no elements.
            all_set &= next.is_some_and(|next| next <= around) || it.is_always_set && !into_element;
            any_computed |= it.is_computed;
            block = member.nested().map(|(_, it)| &**it);
            last = Some(it);
        }
        Some(Properties { is_always_set: all_set, is_computed: any_computed, ..last? })
    }
}

/// The target of a name in a relation or a group.
enum Other {
    /// The attribute with the relation itself; in a group, an attribute that was named before.
    Itself,
    Missing,
    Named(Properties),
}

fn listed(others: &RelatedAttributes) -> String {
    let siblings = others.siblings.iter().map(ToString::to_string);
    let all: Vec<_> = siblings.chain(others.patterns.iter().map(ToString::to_string)).collect();
    if all.is_empty() { "none".into() } else { format!("`{}`", all.join("`, `")) }
}
