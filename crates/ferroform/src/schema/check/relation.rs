//! What must not be said of attributes that the configuration sets together.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use ferroform_value::Type;

use super::{Check, SCHEMA};
use crate::Pattern;
use crate::schema::{Block, Kind, Mode, Nesting, Others, Relation, Together};

pub(super) fn check<'a>(root: &'a Block, check: &mut Check<'a>) {
    Relations { root, ty: OnceCell::new(), check }.block(root, &Pattern::ROOT);
}

struct Relations<'a, 'c> {
    root: &'a Block,
    /// The type of the configuration as a whole, made where a pattern needs it.
    ty: OnceCell<Type>,
    check: &'c mut Check<'a>,
}

/// What is known of an attribute or block that a relation names.
struct Named {
    is_always_set: bool,
    is_computed: bool,
    is_write_only: bool,
    is_number: bool,
}

fn named(block: &Block, name: &str) -> Option<Named> {
    if let Some(it) = block.get(name) {
        return Some(Named {
            is_always_set: it.mode == Mode::Required,
            is_computed: it.mode == Mode::Computed,
            is_write_only: it.write_only,
            is_number: it.ty == Type::Number,
        });
    }
    let it = block.blocks.iter().find(|it| &*it.name == name)?;
    let is_always_set = it.min_items > 0;
    Some(Named { is_always_set, is_computed: false, is_write_only: false, is_number: false })
}

impl<'a> Relations<'a, '_> {
    /// The block whose objects stand where the pattern says.
    fn block(&mut self, block: &'a Block, at: &Pattern) {
        for group in &block.groups {
            self.group(group.together, &group.members, block, at);
        }
        for it in &block.attributes {
            self.relations(&it.name, &it.behaviour().relations, block, at);
            if let Some(nested) = &it.nested {
                self.nested(&it.name, nested.nesting, &nested.block, at);
            }
        }
        for it in &block.blocks {
            self.relations(&it.name, &it.relations, block, at);
            self.nested(&it.name, it.nesting, &it.block, at);
        }
    }

    fn nested(&mut self, name: &'a Arc<str>, nesting: Nesting, block: &'a Block, at: &Pattern) {
        let here = at.clone().name(name.clone());
        let here = if nesting == Nesting::Single { here } else { here.any() };
        self.check.place.push(name);
        self.block(block, &here);
        self.check.place.pop();
    }

    fn relations(&mut self, name: &'a Arc<str>, relations: &[Relation], block: &Block, at: &Pattern) {
        if relations.is_empty() {
            return;
        }
        let here = at.clone().name(name.clone());
        self.check.place.push(name);
        for relation in relations {
            self.relation(name, relation, block, &here);
        }
        self.check.place.pop();
    }

    fn say(&mut self, message: String) {
        self.check.say(SCHEMA, message);
    }

    fn relation(&mut self, own: &str, relation: &Relation, block: &Block, here: &Pattern) {
        let kind = relation.kind;
        let others = &relation.others;
        self.patterns(others, here);
        if others.siblings.is_empty() && others.elsewhere.is_empty() {
            self.say("it bears on nothing at all".into());
        }
        if let Some(it) = named(block, own) {
            if it.is_computed {
                self.say("only the provider writes it, so it bears on nothing in the configuration".into());
            }
            if it.is_always_set && kind.is_of_presence() && kind != Kind::Requires {
                self.say(format!("it is required, so it is always set, whatever {} is", listed(others)));
            }
            if kind.is_of_numbers() && !it.is_number {
                self.say("only a number can be compared with a sum or product".into());
            }
        }
        for name in &others.siblings {
            if **name == *own {
                self.say(format!("it bears on `{name}`, which is itself"));
                continue;
            }
            let Some(it) = named(block, name) else {
                self.say(format!("it bears on `{name}`, but there is no such attribute beside it"));
                continue;
            };
            if it.is_computed {
                self.say(format!("it bears on `{name}`, which only the provider writes"));
            }
            if it.is_always_set && kind.is_of_presence() {
                self.say(format!("it bears on `{name}`, which is required and so always set"));
            }
            if kind.is_of_numbers() && !it.is_number {
                self.say(format!("it is compared with `{name}`, which is no number"));
            }
            if kind == Kind::PreferWriteOnly && !it.is_write_only {
                self.say(format!("`{name}` is to be preferred as write-only, which it is not"));
            }
        }
    }

    fn group(&mut self, together: Together, members: &Others, block: &Block, at: &Pattern) {
        self.patterns(members, at);
        let mut seen = BTreeSet::new();
        for name in &members.siblings {
            if !seen.insert(name) {
                self.say(format!("a group names `{name}` twice"));
            }
            match named(block, name) {
                None => self.say(format!("a group names `{name}`, but there is no such attribute")),
                Some(it) if it.is_computed => {
                    self.say(format!("a group names `{name}`, which only the provider writes"));
                }
                Some(it) if it.is_always_set && together != Together::AllOrNone => {
                    self.say(format!("a group names `{name}`, which is required and so always set"));
                }
                Some(_) => {}
            }
        }
        if members.siblings.len() + members.elsewhere.len() < 2 {
            self.say(format!("a group has at least two members, but this one has only {}", listed(members)));
        }
    }

    fn patterns(&mut self, others: &Others, here: &Pattern) {
        for pattern in &others.elsewhere {
            let fault = match pattern.at(here.clone()) {
                Some(it) => it
                    .possible(self.ty.get_or_init(|| self.root.ty()))
                    .err()
                    .map(|it| it.message().to_owned()),
                None => Some(format!("`{pattern}` goes up further than to the root")),
            };
            if let Some(fault) = fault {
                self.say(fault);
            }
        }
    }
}

fn listed(others: &Others) -> String {
    let siblings = others.siblings.iter().map(ToString::to_string);
    let all: Vec<_> = siblings.chain(others.elsewhere.iter().map(ToString::to_string)).collect();
    if all.is_empty() { "none".into() } else { format!("`{}`", all.join("`, `")) }
}
