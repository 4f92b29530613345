//! Configurations that differ from others in small ways: elements are reordered, dropped, added, respelled and slightly
//! changed, at every depth. Most plans that go wrong are plans of such changes.

use ferroform::schema::Nesting;

use crate::behaviour::Behavior;
use crate::config::{Entry, KEYS, LABELS, Object, Said, TEXTS, entry, key_of, object, value};
use crate::dice::Dice;
use crate::schema::{Field, Kind};

/// More elements than this are not added.
const MANY: usize = 5;

/// The configuration, slightly changed.
pub(crate) fn mutated(dice: &mut Dice, fields: &[Field], before: &Object) -> Object {
    let configurable = fields.iter().filter(|it| it.mode.is_configurable());
    let entries = configurable.zip(&before.0).map(|(field, it)| match dice.chance(40) {
        true => mutated_entry(dice, field, it),
        false => it.clone(),
    });
    Object(entries.collect())
}

/// Keys are changed with the collection in which they must be unique.
fn mutated_entry(dice: &mut Dice, field: &Field, before: &Entry) -> Entry {
    match &before.said {
        _ if field.says(Behavior::Key) => before.clone(),
        None => entry(dice, field, None),
        Some(_) if !field.is_required() && dice.chance(15) => Entry { said: None, ..before.clone() },
        Some(said) => Entry { said: Some(mutated_value(dice, &field.kind, said)), ..before.clone() },
    }
}

fn mutated_value(dice: &mut Dice, kind: &Kind, before: &Said) -> Said {
    match (kind, before) {
        (Kind::Text | Kind::AnyCase, Said::Text(text)) => Said::Text(other_text(dice, text)),
        (Kind::List | Kind::Set, Said::List(elements)) => {
            let mut texts = elements.clone();
            for it in &mut texts {
                if let (Said::Text(text), true) = (&it, dice.chance(40)) {
                    *it = Said::Text(other_text(dice, text));
                }
            }
            rearrange(dice, &mut texts, |dice, _| Some(Said::Text(dice.one_of(&TEXTS))));
            Said::List(texts)
        }
        (Kind::Map, Said::Map(entries)) => mutated_map(dice, entries, |dice, it| match it {
            Some(Said::Text(text)) => Said::Text(other_text(dice, text)),
            _ => Said::Text(dice.one_of(&TEXTS)),
        }),
        (Kind::Objects(Nesting::Single, inside), Said::Object(it)) => Said::Object(mutated(dice, inside, it)),
        (Kind::Objects(Nesting::Map, inside), Said::Map(entries)) => {
            mutated_map(dice, entries, |dice, it| match it {
                Some(Said::Object(it)) => Said::Object(mutated(dice, inside, it)),
                _ => Said::Object(object(dice, inside, None)),
            })
        }
        (Kind::Objects(_, inside), Said::List(elements)) => {
            Said::List(mutated_objects(dice, inside, elements))
        }
        _ => value(dice, kind),
    }
}

/// Mostly the same text in another case.
fn other_text(dice: &mut Dice, text: &'static str) -> &'static str {
    let respelled = TEXTS.into_iter().find(|it| *it != text && it.eq_ignore_ascii_case(text));
    respelled.filter(|_| dice.chance(65)).unwrap_or_else(|| dice.one_of(&TEXTS))
}

fn mutated_map(
    dice: &mut Dice,
    entries: &[(&'static str, Said)],
    mut changed: impl FnMut(&mut Dice, Option<&Said>) -> Said,
) -> Said {
    let mut entries = entries.to_vec();
    for (_, it) in &mut entries {
        if dice.chance(50) {
            *it = changed(dice, Some(it));
        }
    }
    if !entries.is_empty() && dice.chance(20) {
        entries.remove(dice.below(entries.len() as u64) as usize);
    }
    let unused = LABELS.into_iter().find(|label| entries.iter().all(|(it, _)| it != label));
    if let (Some(label), true) = (unused, dice.chance(20)) {
        entries.push((label, changed(dice, None)));
    }
    Said::Map(entries)
}

fn mutated_objects(dice: &mut Dice, fields: &[Field], before: &[Said]) -> Vec<Said> {
    let mut elements = before.to_vec();
    for it in &mut elements {
        if let (Said::Object(object), true) = (&it, dice.chance(40)) {
            *it = Said::Object(mutated(dice, fields, object));
        }
    }
    if let (Some(key), true) = (unused_key(fields, &elements), dice.chance(15)) {
        let at = dice.below(1 + elements.len() as u64) as usize;
        if let Some(Said::Object(it)) = elements.get_mut(at) {
            *it = with_key(fields, it, key);
        }
    }
    rearrange(dice, &mut elements, |dice, elements| {
        let key = unused_key(fields, elements);
        match elements.get(dice.below(4) as usize) {
            // One that is almost another.
            Some(Said::Object(it)) => {
                let made = mutated(dice, fields, it);
                Some(Said::Object(key.map_or(made.clone(), |key| with_key(fields, &made, key))))
            }
            _ => key.map(|key| Said::Object(object(dice, fields, Some(key)))),
        }
    });
    elements
}

fn rearrange(
    dice: &mut Dice,
    elements: &mut Vec<Said>,
    added: impl FnOnce(&mut Dice, &[Said]) -> Option<Said>,
) {
    if dice.chance(15) {
        elements.reverse();
    }
    if !elements.is_empty() && dice.chance(15) {
        elements.rotate_left(1);
    }
    if !elements.is_empty() && dice.chance(20) {
        elements.remove(dice.below(elements.len() as u64) as usize);
    }
    if elements.len() < MANY
        && dice.chance(20)
        && let Some(it) = added(dice, elements)
    {
        elements.insert(dice.below(1 + elements.len() as u64) as usize, it);
    }
}

/// A key that no element has: the number of one, which is the same in each field that is a key. Without such fields any
/// number is one.
fn unused_key(fields: &[Field], elements: &[Said]) -> Option<usize> {
    let is_used = |number: usize| {
        let has = |it: &Said| {
            let Said::Object(it) = it else { return false };
            let mut keys = fields.iter().filter(|it| it.says(Behavior::Key));
            keys.any(|field| it.get(&field.name()) == Some(&key_of(field, number)))
        };
        elements.iter().any(has)
    };
    (0..KEYS.len()).find(|number| !is_used(*number))
}

fn with_key(fields: &[Field], object: &Object, key: usize) -> Object {
    let keys: Vec<(String, Said)> =
        fields.iter().filter(|it| it.says(Behavior::Key)).map(|it| (it.name(), key_of(it, key))).collect();
    let entry = |it: &Entry| match keys.iter().find(|(name, _)| *name == it.name) {
        Some((_, said)) => Entry { said: Some(said.clone()), ..it.clone() },
        None => it.clone(),
    };
    Object(object.0.iter().map(entry).collect())
}
