//! Values for the attributes of a schema.
//!
//! The schema determines the candidates: hints of validators and Rust types, strings in common formats, and boundary values of each type.
//! Candidates that the validators of the attribute reject are dropped. Relations between attributes are checked by the validation of whole
//! configurations.

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

use ferroform::schema::{Attribute, Block, Member, Mode, Nesting};
use ferroform::value::{Type, Value};
use ferroform_engine::validator::item_limits;

use super::candidates::{Candidates, KEYS, equal_forms, equal_string, has_only_secrets};
use crate::Invariant;

/// The values of an attribute or block that a test has specified, by the names of the attributes that lead to it.
pub(super) type FixedValues = BTreeMap<Vec<Arc<str>>, Vec<Value>>;

/// The values of attributes in existing objects of the provider, by the names of the attributes.
pub(super) type ExistingValues = BTreeMap<Arc<str>, Vec<Value>>;

/// The values of a block's members.
#[derive(Clone, Default)]
pub(super) struct BlockValues(pub(super) Vec<MemberValues>);

/// The values of an attribute or nested block that the configuration can set.
#[derive(Clone)]
pub(super) struct MemberValues {
    pub(super) name: Arc<str>,
    /// The value in the base configuration.
    pub(super) base: Value,
    /// The value if it is omitted; `None` if it is required.
    pub(super) absent: Option<Value>,
    /// Typical values, the simplest first.
    pub(super) typical: Vec<Value>,
    /// Boundary values, and values that a service may normalize, with the invariant that is violated if only they fail.
    pub(super) boundary: Vec<(Value, Invariant)>,
    /// Values that a validator of the attribute rejects.
    pub(super) rejected: Vec<Value>,
}

/// The maximum number of changes of each attribute.
const CHANGES: usize = 3;

impl BlockValues {
    /// The values for the members of a block. `path` leads to the block.
    pub(super) fn of(block: &Block, path: &[Arc<str>], fixed: &FixedValues) -> BlockValues {
        let configurable = block.members().filter(|member| match member {
            Member::Attribute(it) => it.mode().is_configurable(),
            Member::Block(_) => true,
        });
        let fields = configurable.map(|member| {
            let path = [path, &[member.name().clone()]].concat();
            MemberValues::of(member, &path, fixed)
        });
        BlockValues(fields.collect())
    }

    /// Uses the configured values of an example in the base configuration.
    pub(super) fn with_example(mut self, block: &Block, example: &Value) -> BlockValues {
        for field in &mut self.0 {
            let value = example.attribute_or_null(&field.name);
            if block.member(&field.name).is_some_and(|it| !it.is_absent(value)) {
                field.base = value.clone();
                field.typical.retain(|it| it != value);
                field.typical.insert(0, value.clone());
            }
        }
        self
    }

    /// Prefers the values of attributes with the same names in existing objects of the provider.
    pub(super) fn with_existing_values(mut self, existing: &ExistingValues, block: &Block) -> BlockValues {
        for field in &mut self.0 {
            let Some(Member::Attribute(attribute)) = block.member(&field.name) else { continue };
            let found = existing.get(&field.name).into_iter().flatten();
            let found: Vec<Value> = found.filter(|it| is_valid(attribute, it)).cloned().collect();
            let others = std::mem::take(&mut field.typical);
            let others = others.into_iter().filter(|it| !found.contains(it));
            field.typical = found.iter().cloned().chain(others).collect();
            if let (None, Some(first)) = (&field.absent, found.first()) {
                field.base = first.clone();
            }
        }
        self
    }

    /// The base configuration.
    pub(super) fn base(&self, block: &Block) -> Value {
        let Value::Object(mut object) = block.object_of(&Value::Null) else {
            unreachable!("`object_of` returns an object")
        };
        for field in &self.0 {
            object.insert(field.name.clone(), field.base.clone());
        }
        Value::Object(object)
    }

    /// Other typical values of each member, each of which changes one attribute of a configuration.
    pub(super) fn changes(&self, config: &Value) -> Vec<(Arc<str>, Value)> {
        let mut changes = Vec::new();
        // The first change of each member comes first.
        for round in 0..=CHANGES {
            for field in &self.0 {
                let present = config.attribute_or_null(&field.name);
                // An omitted value is the second change, because many services keep a value that a request omits.
                let (first, more) = field.typical.split_at(field.typical.len().min(2));
                let others = first.iter().chain(&field.absent).chain(more.iter().take(CHANGES - 1));
                let others: Vec<&Value> = others.filter(|it| *it != present).collect();
                changes.extend(others.get(round).map(|it| (field.name.clone(), (*it).clone())));
            }
        }
        changes
    }
}

/// Returns the configuration with another value of a member.
pub(super) fn with_member(config: &Value, name: &Arc<str>, value: Value) -> Value {
    let mut config = config.clone();
    if let Value::Object(object) = &mut config {
        object.insert(name.clone(), value);
    }
    config
}

impl MemberValues {
    fn of(member: Member<'_>, path: &[Arc<str>], fixed: &FixedValues) -> MemberValues {
        let is_required = match member {
            Member::Attribute(it) => it.mode() == Mode::Required,
            Member::Block(it) => it.min_items() > 0,
        };
        let absent = (!is_required).then(|| member.absent_value());
        let (typical, boundary, rejected) = match (fixed.get(path), member.nested(), member) {
            (Some(fixed), ..) => (fixed.clone(), Vec::new(), Vec::new()),
            // Timeouts do not change the object.
            (_, Some((_, block)), _) if block.timeouts().is_some() => Default::default(),
            (_, Some((nesting, block)), _) => {
                let count = match member {
                    Member::Attribute(_) => (1, usize::MAX),
                    Member::Block(it) => {
                        let limit = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
                        (
                            limit(it.min_items()).max(1),
                            if it.max_items() == 0 { usize::MAX } else { limit(it.max_items()) },
                        )
                    }
                };
                let (typical, boundary) =
                    nested_values(nesting, block, &BlockValues::of(block, path, fixed), count);
                // An omitted block is an empty collection.
                let is_block = matches!(member, Member::Block(_));
                let boundary = boundary.into_iter().filter(|(it, _)| !is_block || it.length() != Some(0));
                (typical, boundary.collect(), Vec::new())
            }
            (_, None, Member::Attribute(attribute)) => leaf_values(attribute),
            (_, None, Member::Block(_)) => Default::default(),
        };
        let base = absent.clone().or_else(|| typical.first().cloned()).unwrap_or(Value::Null);
        MemberValues { name: member.name().clone(), base, absent, typical, boundary, rejected }
    }
}

type Values = (Vec<Value>, Vec<(Value, Invariant)>, Vec<Value>);

/// The values of an attribute without nested objects.
fn leaf_values(attribute: &Attribute) -> Values {
    let hints = attribute.hints();
    let is_secret = attribute.is_sensitive() || attribute.is_write_only();
    let mut candidates = Candidates::of(attribute.ty(), &hints, is_secret.then(|| &**attribute.name()));
    candidates.typical.push(attribute.placeholder());
    let bounds = attribute.behavior().validators.iter().flat_map(|it| it.ranges()).flatten();
    let bounds = bounds.flat_map(|it| [it.min().cloned(), it.max().cloned()]).flatten();
    let bounds: Vec<Value> = bounds.map(Value::Number).collect();
    if *attribute.ty() == Type::Number {
        candidates.typical.extend(bounds.iter().cloned());
        candidates.boundary.extend(bounds.into_iter().map(|it| (it, Invariant::BoundaryValuesRoundTrip)));
    }
    candidates
        .boundary
        .extend(equal_elements(attribute).map(|it| (it, Invariant::NormalizedValuesAreConsistent)));
    let (mut typical, rejected) =
        candidates.typical.into_iter().partition::<Vec<_>, _>(|it| is_valid(attribute, it));
    let (mut boundary, more) =
        candidates.boundary.into_iter().partition::<Vec<_>, _>(|(it, _)| is_valid(attribute, it));
    // A string that is also the value of another attribute cannot be distinguished from a secret in a log.
    if is_secret && typical.iter().any(has_only_secrets) {
        typical.retain(has_only_secrets);
        boundary.retain(|(it, _)| has_only_secrets(it));
    }
    let rejected = rejected.into_iter().chain(more.into_iter().map(|(it, _)| it));
    (unique(typical), boundary, unique(rejected.filter(|it| !it.is_null()).collect()))
}

/// The object with another form of each value that has one. The forms are semantically equal.
pub(super) fn other_form(block: &Block, object: &Value) -> Value {
    block.members().fold(object.clone(), |result, member| {
        let value = object.attribute_or_null(member.name());
        let other = match member.nested() {
            _ if value.is_null() => return result,
            Some((Nesting::Single, inside)) => other_form(inside, value),
            Some((_, inside)) => value.map_elements(|_, it| other_form(inside, it)),
            None => match member {
                Member::Attribute(it) => other_leaf(it, value),
                Member::Block(_) => value.clone(),
            },
        };
        with_member(&result, member.name(), other)
    })
}

/// Another form of an attribute's value, or the value if there is none.
fn other_leaf(attribute: &Attribute, value: &Value) -> Value {
    let replaced = |form: &dyn Fn(&str) -> String| {
        let replaced = value.clone().transform::<Infallible>(&mut |_, it| {
            Ok(it.as_str().map(|it| form(it).as_str().into()).unwrap_or(it))
        });
        let Ok(replaced) = replaced;
        replaced
    };
    let of_pair = |it: &str| equal_string(it).to_owned();
    let forms = [replaced(&of_pair), replaced(&str::to_uppercase), replaced(&str::to_lowercase)];
    let mut forms = forms.into_iter().filter(|it| it != value && is_valid(attribute, it));
    forms.find(|it| attribute.is_semantically_equal(value, it)).unwrap_or_else(|| value.clone())
}

/// Sets with two elements that differ, but are semantically equal. The Rust type can merge them.
fn equal_elements(attribute: &Attribute) -> impl Iterator<Item = Value> {
    let is_equal = |a: &Value, b: &Value| {
        let [a, b] = [a, b].map(|it| Value::set([it.clone()]));
        attribute.accepts(&a) && attribute.accepts(&b) && attribute.is_semantically_equal(&a, &b)
    };
    let pairs = match attribute.ty() {
        Type::Set(element) => equal_forms(element),
        _ => Vec::new(),
    };
    pairs.into_iter().filter(move |(a, b)| is_equal(a, b)).map(|(a, b)| Value::set([a, b]))
}

/// True if the validators and the Rust type of the attribute accept the value.
fn is_valid(attribute: &Attribute, value: &Value) -> bool {
    let behavior = attribute.behavior();
    let limits = item_limits(behavior.min_items, behavior.max_items);
    let mut validators = behavior.validators.iter().chain(&limits);
    let accepts = || {
        !value.is_null()
            && attribute.accepts(value)
            && attribute.conversion_errors(value).is_empty()
            && validators.all(|it| it.validate(value).err().is_none_or(|it| !it.has_error()))
    };
    // A validator that panics is found when a whole configuration is validated.
    ferroform_engine::panics::catch_sync(accepts).unwrap_or(true)
}

fn unique(mut values: Vec<Value>) -> Vec<Value> {
    let mut found = HashSet::new();
    values.retain(|it| found.insert(it.clone()));
    values
}

/// The values of a nested attribute or block, with numbers of elements from `min` to `max`.
fn nested_values(
    nesting: Nesting,
    block: &Block,
    fields: &BlockValues,
    (min, max): (usize, usize),
) -> (Vec<Value>, Vec<(Value, Invariant)>) {
    let base = fields.base(block);
    let has_keys = block.attributes().iter().any(Attribute::is_key);
    // The elements of a list or set must have different keys, and those of a set must differ.
    let keys: Vec<&MemberValues> = {
        let is_key = |it: &&MemberValues| block.get(&it.name).is_some_and(Attribute::is_key);
        let keys: Vec<&MemberValues> = fields.0.iter().filter(is_key).collect();
        let first = || fields.0.iter().find(|it| it.typical.len() > 1);
        if keys.is_empty() { first().into_iter().collect() } else { keys }
    };
    let element = |number: usize| {
        keys.iter().fold(base.clone(), |object, field| {
            let at = number % field.typical.len().max(1);
            let value = if number == 0 { None } else { field.typical.get(at) };
            value.map_or(object.clone(), |it| with_member(&object, &field.name, it.clone()))
        })
    };
    let collection = |objects: Vec<Value>| match nesting {
        Nesting::Single => objects.into_iter().next().unwrap_or(Value::Null),
        Nesting::List => Value::List(objects),
        Nesting::Set => Value::set(objects),
        Nesting::Map => Value::map(KEYS.into_iter().zip(objects)),
    };
    let count = min.min(5);
    let with_first =
        |first: Value| collection(std::iter::once(first).chain((1..count).map(element)).collect());
    let mut typical = vec![with_first(base.clone())];
    let changes = fields.changes(&base);
    let elements = |count: usize| (0..count).map(element).collect::<Vec<Value>>();
    let reversed = |count: usize| (0..count).rev().map(element).collect::<Vec<Value>>();
    let is_possible = |count: usize| nesting != Nesting::Single && (min..=max).contains(&count);
    typical.extend([4].into_iter().filter(|it| is_possible(*it)).map(|it| collection(elements(it))));
    typical.extend([2].into_iter().filter(|it| is_possible(*it)).map(|it| collection(reversed(it))));
    typical.extend(changes.iter().take(1).map(|(name, it)| with_first(with_member(&base, name, it.clone()))));
    for more in [count + 1, count + 2].into_iter().filter(|it| is_possible(*it)) {
        typical.push(collection(elements(more)));
        typical.push(collection(reversed(more)));
    }
    typical.extend(changes.into_iter().skip(1).map(|(name, it)| with_first(with_member(&base, &name, it))));
    let boundary = fields.0.iter().flat_map(|field| {
        let inside = |(it, invariant): &(Value, Invariant)| {
            (with_first(with_member(&base, &field.name, it.clone())), *invariant)
        };
        field.boundary.iter().map(inside).collect::<Vec<_>>()
    });
    // Elements that differ in one attribute only.
    let is_set = nesting == Nesting::Set && min <= 2 && max >= 2;
    let pairs = changes_of(fields, &base)
        .filter(|_| is_set && !has_keys)
        .map(|it| (Value::set([base.clone(), it]), Invariant::BoundaryValuesRoundTrip));
    let is_distinct = keys.iter().any(|it| it.typical.len() >= 8);
    let long = [elements(8), reversed(8)].into_iter().filter(|_| is_possible(8) && is_distinct);
    let long = long.map(|it| (collection(it), Invariant::NormalizedValuesAreConsistent)).collect::<Vec<_>>();
    let has_duplicates = nesting == Nesting::List && is_possible(2) && !has_keys;
    let duplicates = has_duplicates
        .then(|| (Value::List(vec![base.clone(), base.clone()]), Invariant::NormalizedValuesAreConsistent));
    let empty =
        (nesting != Nesting::Single).then(|| (collection(Vec::new()), Invariant::BoundaryValuesRoundTrip));
    (unique(typical), empty.into_iter().chain(long).chain(duplicates).chain(pairs).chain(boundary).collect())
}

/// The objects that differ from the base in one member each.
fn changes_of(fields: &BlockValues, base: &Value) -> impl Iterator<Item = Value> {
    fields.0.iter().filter_map(|field| {
        let other = field.typical.iter().find(|it| *it != base.attribute_or_null(&field.name))?;
        Some(with_member(base, &field.name, other.clone()))
    })
}

#[cfg(test)]
mod tests {
    use ferroform::Model;
    use ferroform::validators::{between, each, length_between, matches, one_of};

    use super::*;

    /// A machine.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Machine {
        #[attr(validate = matches("^m-[0-9]{4}$", "a machine name is required"))]
        name: String,
        #[attr(validate = one_of(["small", "large"]))]
        size: Option<String>,
        #[attr(validate = between(7000, 7010))]
        port: u16,
        zone: Zone,
        #[attr(validate = each(length_between(30, 40)))]
        tags: Vec<String>,
        #[attr(sensitive)]
        password: String,
        disks: Vec<Disk>,
        #[attr(computed)]
        id: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Disk {
        #[attr(key)]
        name: String,
        size: Option<f64>,
    }

    #[derive(ferroform::Attr, Clone, Debug, PartialEq)]
    enum Zone {
        North,
        South,
    }

    #[test]
    fn values_satisfy_the_validators_and_types_of_their_attributes() {
        let block = Machine::schema().block;
        let fields = BlockValues::of(&block, &[], &FixedValues::new());
        let get = |name: &str| fields.0.iter().find(|it| &*it.name == name);
        let typical = |name: &str| get(name).map(|it| it.typical.clone()).unwrap_or_default();
        assert_eq!(typical("name")[..2], ["m-0123".into(), "m-1234".into()]);
        assert_eq!(typical("size"), ["small".into(), "large".into()]);
        assert_eq!(typical("port"), [7000.into(), 7010.into()]);
        assert_eq!(typical("zone"), ["north".into(), "south".into()]);
        assert!(typical("tags").contains(&Value::List(vec!["abcdefgh-12345678-abcdefgh-12345678".into()])));
        assert_eq!(typical("password")[0], "s3cr3t-password-1".into());
        assert!(!typical("password").contains(&"example".into()), "another attribute can have this value");
        let disk = |name: &str| Value::object([("name", name.into()), ("size", Value::Null)]);
        assert_eq!(typical("disks")[0], Value::List(vec![disk("a")]));
        assert!(typical("disks").contains(&Value::List(vec![disk("a"), disk("b")])));
        let boundary: Vec<String> =
            get("disks").iter().flat_map(|it| &it.boundary).map(|(it, _)| it.to_string()).collect();
        assert!(boundary.contains(&"[]".to_owned()), "{boundary:?}");
        assert!(boundary.contains(&"[{name = \"a\", size = 9007199254740993}]".to_owned()), "{boundary:?}");
        assert!(get("id").is_none());
        assert!(get("port").is_some_and(|it| it.rejected.contains(&1.into())));
    }
}
