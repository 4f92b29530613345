//! An element of a collection as it is compared with others.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

use ferroform_value::{Object, Value};
use foldhash::quality::{FoldHasher, RandomState};
use foldhash::{HashMap, HashMapExt as _};

use crate::schema::{Attribute, Block};

/// What is equal hashes alike all over the process.
static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// One of those whose hashes can be compared with each other.
pub(crate) fn hasher() -> FoldHasher<'static> {
    KEYS.build_hasher()
}

/// Some of the attributes and blocks, in the order of the schema.
pub(crate) type Mask = Vec<bool>;

/// Where the objects are, the last first, by the hash of what the mask leaves of them.
pub(crate) fn index(block: &Block, prior: &[&Value], hidden: &Mask) -> HashMap<u64, Vec<usize>> {
    let mut found: HashMap<u64, Vec<usize>> = HashMap::with_capacity(prior.len());
    for (i, element) in prior.iter().enumerate().rev() {
        if let Value::Object(object) = element {
            found.entry(Side { block, object, hidden }.hash()).or_default().push(i);
        }
    }
    found
}

/// An element without what the mask hides, and without anything computed deeper inside. Values that mean the same
/// are one, as far as their types tell. Nothing else is copied: it is hashed and compared part by part.
pub(crate) struct Side<'a> {
    block: &'a Block,
    object: &'a Object,
    hidden: &'a Mask,
}

impl<'a> Side<'a> {
    pub(crate) fn of(block: &'a Block, object: &'a Object, hidden: &'a Mask) -> Side<'a> {
        Side { block, object, hidden }
    }

    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = hasher();
        self.parts().for_each(|it| it.hash(&mut hasher));
        hasher.finish()
    }

    pub(crate) fn is_like(&self, other: &Side<'_>) -> bool {
        self.parts().eq(other.parts())
    }

    fn parts(&self) -> impl Iterator<Item = Cow<'a, Value>> {
        let Side { block, object, hidden } = *self;
        let of = |name: &str| object.get(name).unwrap_or(&Value::Null);
        let shown = |at: usize| hidden.get(at) != Some(&true);
        let attributes = block.attributes.iter().enumerate().filter(move |(at, _)| shown(*at));
        let attributes = attributes.map(move |(_, it)| {
            let value = of(&it.name);
            match &it.nested {
                Some(nested) if holds_unsaid(&nested.block) => Cow::Owned(strip(&nested.block, value)),
                _ => it.canonical(value),
            }
        });
        let blocks = block.blocks.iter().enumerate();
        let blocks = blocks.filter(move |(at, it)| !it.computed && shown(block.attributes.len() + at));
        attributes.chain(blocks.map(move |(_, it)| Cow::Owned(strip(&it.block, of(&it.name)))))
    }
}

/// True where an object and its configuration may differ though nothing has changed.
pub(crate) fn holds_unsaid(block: &Block) -> bool {
    let unsaid = |it: &Attribute| {
        it.mode.is_computed()
            || it.write_only
            || it.has_own_equality()
            || it.nested.as_ref().is_some_and(|it| holds_unsaid(&it.block))
    };
    block.attributes.iter().any(unsaid)
        || block.blocks.iter().any(|it| it.computed || holds_unsaid(&it.block))
}

/// The objects inside a value without anything that is computed or write-only.
fn strip(block: &Block, value: &Value) -> Value {
    match value {
        Value::List(it) => Value::List(it.iter().map(|it| strip(block, it)).collect()),
        Value::Set(it) => Value::set(it.iter().map(|it| strip(block, it))),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), strip(block, it))).collect()),
        Value::Object(it) => {
            let inputs = block.attributes.iter().filter(|it| !it.mode.is_computed() && !it.write_only);
            let attributes = inputs.map(|attribute| {
                let value = it.get(&attribute.name).unwrap_or(&Value::Null);
                let inside = attribute.nested.as_ref();
                let stripped = match inside {
                    Some(inside) => strip(&inside.block, value),
                    None => attribute.canonical(value).into_owned(),
                };
                (attribute.name.clone(), stripped)
            });
            let blocks = block.blocks.iter().filter(|it| !it.computed).map(|nested| {
                let value = it.get(&nested.name).unwrap_or(&Value::Null);
                (nested.name.clone(), strip(&nested.block, value))
            });
            Value::Object(attributes.chain(blocks).collect())
        }
        _ => value.clone(),
    }
}
