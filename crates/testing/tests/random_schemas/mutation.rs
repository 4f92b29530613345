//! Configurations that differ from others in small ways: elements are reordered, removed, added, normalized and
//! slightly changed at every nesting level. Most incorrect plans are plans of such changes.

use ferroform::schema::Nesting;

use crate::behavior::Behavior;
use crate::config::{ConfigValue, Entry, KEYS, LABELS, Object, STRINGS, entry, key_of, object, value};
use crate::rng::Rng;
use crate::schema::{Field, Kind};

/// The maximum number of elements after an addition.
const MAX_ELEMENTS: usize = 5;

/// Returns a slightly changed configuration.
pub(crate) fn mutated(rng: &mut Rng, fields: &[Field], before: &Object) -> Object {
    let configurable = fields.iter().filter(|it| it.mode.is_configurable());
    let entries = configurable.zip(&before.0).map(|(field, it)| match rng.chance(40) {
        true => mutated_entry(rng, field, it),
        false => it.clone(),
    });
    Object(entries.collect())
}

/// Changes one entry. Keys change together with their collection, in which they must be unique.
fn mutated_entry(rng: &mut Rng, field: &Field, before: &Entry) -> Entry {
    match &before.configured {
        _ if field.has(Behavior::Key) => before.clone(),
        None => entry(rng, field, None),
        Some(_) if !field.is_required() && rng.chance(15) => Entry { configured: None, ..before.clone() },
        Some(configured) => {
            Entry { configured: Some(mutated_value(rng, &field.kind, configured)), ..before.clone() }
        }
    }
}

fn mutated_value(rng: &mut Rng, kind: &Kind, before: &ConfigValue) -> ConfigValue {
    match (kind, before) {
        (Kind::String | Kind::CaseInsensitive, ConfigValue::String(string)) => {
            ConfigValue::String(other_string(rng, string))
        }
        (Kind::List | Kind::Set, ConfigValue::List(elements)) => {
            let mut strings = elements.clone();
            for it in &mut strings {
                if let (ConfigValue::String(string), true) = (&it, rng.chance(40)) {
                    *it = ConfigValue::String(other_string(rng, string));
                }
            }
            rearrange(rng, &mut strings, |rng, _| Some(ConfigValue::String(rng.one_of(&STRINGS))));
            ConfigValue::List(strings)
        }
        (Kind::Map, ConfigValue::Map(entries)) => mutated_map(rng, entries, |rng, it| match it {
            Some(ConfigValue::String(string)) => ConfigValue::String(other_string(rng, string)),
            _ => ConfigValue::String(rng.one_of(&STRINGS)),
        }),
        (Kind::Objects(Nesting::Single, inside), ConfigValue::Object(it)) => {
            ConfigValue::Object(mutated(rng, inside, it))
        }
        (Kind::Objects(Nesting::Map, inside), ConfigValue::Map(entries)) => {
            mutated_map(rng, entries, |rng, it| match it {
                Some(ConfigValue::Object(it)) => ConfigValue::Object(mutated(rng, inside, it)),
                _ => ConfigValue::Object(object(rng, inside, None)),
            })
        }
        (Kind::Objects(_, inside), ConfigValue::List(elements)) => {
            ConfigValue::List(mutated_objects(rng, inside, elements))
        }
        _ => value(rng, kind),
    }
}

/// Returns another string, mostly the same one in another case.
fn other_string(rng: &mut Rng, string: &'static str) -> &'static str {
    let normalized = STRINGS.into_iter().find(|it| *it != string && it.eq_ignore_ascii_case(string));
    normalized.filter(|_| rng.chance(65)).unwrap_or_else(|| rng.one_of(&STRINGS))
}

fn mutated_map(
    rng: &mut Rng,
    entries: &[(&'static str, ConfigValue)],
    mut changed: impl FnMut(&mut Rng, Option<&ConfigValue>) -> ConfigValue,
) -> ConfigValue {
    let mut entries = entries.to_vec();
    for (_, it) in &mut entries {
        if rng.chance(50) {
            *it = changed(rng, Some(it));
        }
    }
    if !entries.is_empty() && rng.chance(20) {
        entries.remove(rng.below(entries.len() as u64) as usize);
    }
    let unused = LABELS.into_iter().find(|label| entries.iter().all(|(it, _)| it != label));
    if let (Some(label), true) = (unused, rng.chance(20)) {
        entries.push((label, changed(rng, None)));
    }
    ConfigValue::Map(entries)
}

fn mutated_objects(rng: &mut Rng, fields: &[Field], before: &[ConfigValue]) -> Vec<ConfigValue> {
    let mut elements = before.to_vec();
    for it in &mut elements {
        if let (ConfigValue::Object(object), true) = (&it, rng.chance(40)) {
            *it = ConfigValue::Object(mutated(rng, fields, object));
        }
    }
    if let (Some(key), true) = (unused_key(fields, &elements), rng.chance(15)) {
        let at = rng.below(1 + elements.len() as u64) as usize;
        if let Some(ConfigValue::Object(it)) = elements.get_mut(at) {
            *it = with_key(fields, it, key);
        }
    }
    rearrange(rng, &mut elements, |rng, elements| {
        let key = unused_key(fields, elements);
        match elements.get(rng.below(4) as usize) {
            // An element that is similar to another one.
            Some(ConfigValue::Object(it)) => {
                let changed = mutated(rng, fields, it);
                Some(ConfigValue::Object(key.map_or(changed.clone(), |key| with_key(fields, &changed, key))))
            }
            _ => key.map(|key| ConfigValue::Object(object(rng, fields, Some(key)))),
        }
    });
    elements
}

fn rearrange(
    rng: &mut Rng,
    elements: &mut Vec<ConfigValue>,
    added: impl FnOnce(&mut Rng, &[ConfigValue]) -> Option<ConfigValue>,
) {
    if rng.chance(15) {
        elements.reverse();
    }
    if !elements.is_empty() && rng.chance(15) {
        elements.rotate_left(1);
    }
    if !elements.is_empty() && rng.chance(20) {
        elements.remove(rng.below(elements.len() as u64) as usize);
    }
    if elements.len() < MAX_ELEMENTS
        && rng.chance(20)
        && let Some(it) = added(rng, elements)
    {
        elements.insert(rng.below(1 + elements.len() as u64) as usize, it);
    }
}

/// Returns the number of a key that no element has. The number determines the value of each key field. Without key fields,
/// every number is unused.
fn unused_key(fields: &[Field], elements: &[ConfigValue]) -> Option<usize> {
    let is_used = |number: usize| {
        let has = |it: &ConfigValue| {
            let ConfigValue::Object(it) = it else { return false };
            let mut keys = fields.iter().filter(|it| it.has(Behavior::Key));
            keys.any(|field| it.get(&field.name()) == Some(&key_of(field, number)))
        };
        elements.iter().any(has)
    };
    (0..KEYS.len()).find(|number| !is_used(*number))
}

fn with_key(fields: &[Field], object: &Object, key: usize) -> Object {
    let keys: Vec<(String, ConfigValue)> =
        fields.iter().filter(|it| it.has(Behavior::Key)).map(|it| (it.name(), key_of(it, key))).collect();
    let entry = |it: &Entry| match keys.iter().find(|(name, _)| *name == it.name) {
        Some((_, configured)) => Entry { configured: Some(configured.clone()), ..it.clone() },
        None => it.clone(),
    };
    Object(object.0.iter().map(entry).collect())
}
