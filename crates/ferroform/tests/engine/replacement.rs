//! Changes of nested attributes that require replacement.

use std::collections::BTreeMap;

use crate::common::deadline::within_deadline;
use crate::common::instance;
use ferroform::schema::{Schema, ValueChange};
use ferroform::value::Value;
use ferroform::{Attr, Known, Model, Set};
use ferroform_testing::{Configuration, Literal, config, unknown};

/// Returns the replacement paths of a plan, or the planned action if it requires no replacement.
fn planned_change<M: Model>(state: Configuration, config: Configuration) -> String {
    planned_change_of(M::schema(), state, config)
}

fn planned_change_of(schema: Schema, state: Configuration, config: Configuration) -> String {
    let plan = instance(schema, true, Some(state)).plan(config);
    match plan.requires_replace.is_empty() {
        true => plan.action.to_string(),
        false => plan.requires_replace.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// Returns a configuration with one attribute.
fn at(name: &str, value: impl Into<Literal>) -> Configuration {
    Configuration::new().set(name, value)
}

fn many<const N: usize>(elements: [Configuration; N]) -> Literal {
    Literal::Tuple(elements.into_iter().map(Literal::from).collect())
}

/// The attribute at every nesting level, in attributes and in blocks.
#[derive(Model, Clone, Debug, PartialEq)]
struct Nestings {
    single: Option<Zoned>,
    list: Option<Vec<Zoned>>,
    map: Option<BTreeMap<String, Zoned>>,
    set: Option<Set<Zoned>>,
    #[attr(block)]
    one_block: Option<Zoned>,
    #[attr(block)]
    list_block: Vec<Zoned>,
    #[attr(block)]
    map_block: BTreeMap<String, Zoned>,
    #[attr(block)]
    set_block: Set<Zoned>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Zoned {
    #[attr(requires_replace)]
    zone: Option<String>,
    note: Option<String>,
}

const NESTINGS: [&str; 8] =
    ["single", "list", "map", "set", "one_block", "list_block", "map_block", "set_block"];

/// Returns a configuration with these objects at a nesting level, or `None` if it cannot contain so many. Only an
/// attribute can be null.
fn hold(name: &str, objects: Option<&[Configuration]>) -> Option<Configuration> {
    let (is_single, is_block) = (["single", "one_block"].contains(&name), name.ends_with("block"));
    let Some(objects) = objects else { return (!is_block).then(Configuration::new) };
    if is_single && objects.len() != 1 && !(is_block && objects.is_empty()) {
        return None;
    }
    let keyed = objects.iter().zip(["a", "b", "c"]);
    let list = || Literal::Tuple(objects.iter().cloned().map(Literal::from).collect());
    Some(match name {
        "single" => at(name, objects[0].clone()),
        "map" => at(name, keyed.fold(Configuration::new(), |map, (it, key)| map.set(key, it.clone()))),
        "map_block" => {
            keyed.fold(Configuration::new(), |all, (it, key)| all.labeled_block(name, key, it.clone()))
        }
        _ if is_block => objects.iter().fold(Configuration::new(), |all, it| all.block(name, it.clone())),
        _ => at(name, list()),
    })
}

/// Returns the planned change for each nesting level that can contain the objects.
fn planned_changes(
    before: Option<&[Configuration]>,
    after: Option<&[Configuration]>,
) -> Vec<(&'static str, String)> {
    let both = |name| Some((name, hold(name, before)?, hold(name, after)?));
    let all = NESTINGS.into_iter().filter_map(both);
    all.map(|(name, before, after)| (name, planned_change::<Nestings>(before, after))).collect()
}

/// The attribute of an object is compared with its prior value, or with null if the object is new.
#[test]
fn requires_replace_works_in_every_nesting() {
    let zone = |zone: &str| config! { zone = zone };
    let (x, y) = (zone("x"), zone("y"));
    let bare = config! { note = "n" };
    type Objects<'a> = Option<&'a [Configuration]>;
    let cases: [(Objects<'_>, Objects<'_>, bool); 14] = [
        // A new object that sets the attribute.
        (None, Some(std::slice::from_ref(&x)), true),
        (Some(&[]), Some(std::slice::from_ref(&x)), true),
        (Some(std::slice::from_ref(&x)), Some(&[x.clone(), y.clone()]), true),
        // A new object that does not set the attribute.
        (None, Some(std::slice::from_ref(&bare)), false),
        (Some(&[]), Some(std::slice::from_ref(&bare)), false),
        (Some(std::slice::from_ref(&x)), Some(&[x.clone(), bare.clone()]), false),
        // A removed object.
        (Some(std::slice::from_ref(&x)), None, false),
        (Some(std::slice::from_ref(&x)), Some(&[]), false),
        (Some(&[x.clone(), y.clone()]), Some(std::slice::from_ref(&x)), false),
        // A changed attribute.
        (Some(std::slice::from_ref(&x)), Some(std::slice::from_ref(&y)), true),
        (Some(&[config! { zone = "x", note = "n" }]), Some(&[config! { zone = "x", note = "m" }]), false),
        (Some(&[x.clone(), y.clone()]), Some(&[x.clone(), config! { zone = "z" }]), true),
        // A removed attribute is a change. In a set, the changed element is a new element.
        (Some(&[config! { zone = "x", note = "n" }]), Some(std::slice::from_ref(&bare)), true),
        // An unknown attribute.
        (Some(std::slice::from_ref(&x)), Some(&[config! { zone = (unknown()) }]), true),
    ];
    for (row, (before, after, replaces)) in cases.into_iter().enumerate() {
        let planned_changes = planned_changes(before, after);
        assert!(planned_changes.len() >= 3, "{row}");
        for (name, planned_change) in planned_changes {
            let replaces = replaces && !(row == 12 && ["set", "set_block"].contains(&name));
            assert_eq!(planned_change != "update", replaces, "row {row}: {name}: {planned_change}");
        }
    }
}

/// A wholly unknown object may contain any value.
#[test]
fn possible_replacement_is_planned_as_replacement() {
    for name in ["single", "list", "map", "set"] {
        let x = [config! { zone = "x" }];
        assert_eq!(planned_change::<Nestings>(hold(name, Some(&x)).unwrap(), at(name, unknown())), name);
        assert_eq!(planned_change::<Nestings>(Configuration::new(), at(name, unknown())), name);
    }
    let x = config! { zone = "x" };
    for (name, config, expected) in [
        ("list", Literal::Tuple(vec![unknown()]), "list[0]"),
        ("map", Literal::from(config! { a = (unknown()) }), "map[\"a\"]"),
        ("set", Literal::Tuple(vec![unknown()]), "set"),
    ] {
        let state = hold(name, Some(std::slice::from_ref(&x))).unwrap();
        assert_eq!(planned_change::<Nestings>(state, at(name, config)), expected);
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Collections {
    #[attr(mixed)]
    list: Option<Vec<Element>>,
    #[attr(mixed)]
    keyed_set: Option<Set<KeyedElement>>,
    #[attr(mixed)]
    keyed_list: Option<Vec<KeyedElement>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Element {
    k: String,
    #[attr(requires_replace_if_configured, optional, computed)]
    zone: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct KeyedElement {
    #[attr(key)]
    k: String,
    #[attr(requires_replace_if_configured, optional, computed)]
    zone: String,
}

#[test]
fn unconfigured_attribute_does_not_require_replacement() {
    for name in ["list", "keyed_set", "keyed_list"] {
        let check = |state: Literal, config: Literal, replaces: bool| {
            let planned_change =
                planned_change_of(Collections::schema(), at(name, state), at(name, config.clone()));
            assert_eq!(planned_change != "update", replaces, "{name}: {config:?}: {planned_change}");
        };
        let state = || many([config! { k = "a", zone = "1" }]);
        check(state(), many([config! { k = "a" }, config! { k = "b" }]), false);
        check(state(), many([config! { k = "a", zone = "1" }, config! { k = "b" }]), false);
        check(state(), many([config! { k = "a", zone = "1" }, config! { k = "b", zone = "1" }]), true);
        check(state(), many([config! { k = "a", zone = "2" }]), true);
        check(state(), many([config! { k = "a", zone = (unknown()) }]), true);
        // The attribute is removed from the configuration and becomes computed.
        let two = || many([config! { k = "a", zone = "1" }, config! { k = "b", zone = "2" }]);
        check(two(), many([config! { k = "a" }, config! { k = "c" }]), false);
        check(two(), many([config! { k = "b" }]), false);
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disks {
    list: Option<Vec<Disk>>,
    set: Option<Set<Disk>>,
    #[attr(block)]
    list_block: Vec<Disk>,
    #[attr(block)]
    set_block: Set<Disk>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    #[attr(key)]
    k: String,
    #[attr(requires_replace)]
    zone: Option<i64>,
    #[attr(requires_replace_if = shrinks)]
    size: Option<i64>,
    note: Option<String>,
}

fn shrinks(it: &ValueChange<i64>) -> bool {
    match (it.prior, it.plan) {
        (Some(old), Known(Some(new))) => new < old,
        (prior, plan) => prior.is_some() && plan.is_unknown(),
    }
}

fn disk(k: &str, zone: Option<i64>, size: i64) -> Configuration {
    let disk = Configuration::new().set("k", k).set("size", size);
    zone.into_iter().fold(disk, |disk, zone| disk.set("zone", zone))
}

/// An element with a key is compared with the prior element of the same key, regardless of its index.
#[test]
fn element_with_key_is_compared_with_matching_element() {
    let state = [disk("a", Some(1), 1), disk("b", Some(2), 9)];
    for name in ["list", "set", "list_block", "set_block"] {
        let write = |elements: &[Configuration]| match name.ends_with("block") {
            true => elements.iter().fold(Configuration::new(), |all, it| all.block(name, it.clone())),
            false => at(name, Literal::Tuple(elements.iter().cloned().map(Literal::from).collect())),
        };
        let check = |config: &[Configuration], paths: &[&str]| {
            let planned_change = planned_change::<Disks>(write(&state), write(config));
            let expected = match paths {
                [] if planned_change == "no change" && name.starts_with("set") => "no change".to_owned(),
                [] => "update".to_owned(),
                _ if name.starts_with("set") => name.to_owned(),
                _ => paths.iter().map(|it| format!("{name}{it}")).collect::<Vec<_>>().join(" "),
            };
            assert_eq!(planned_change, expected, "{name}: {config:?}");
        };
        let [a, b] = state.clone();
        let unknown_key = |zone: Option<i64>| {
            let disk = Configuration::new().set("k", unknown()).set("size", 1);
            zone.into_iter().fold(disk, |disk, zone| disk.set("zone", zone))
        };
        check(&[disk("c", None, 5), a.clone(), b.clone()], &[]);
        check(&[b.clone(), a.clone()], &[]);
        check(std::slice::from_ref(&b), &[]);
        check(&[disk("c", Some(1), 1), b.clone()], &["[0]"]);
        check(&[disk("b", Some(1), 9), disk("a", Some(2), 1)], &["[0]", "[1]"]);
        check(&[disk("b", Some(2), 8), a.clone()], &["[0].size"]);
        check(&[b.clone(), disk("a", None, 1)], &["[1].zone"]);
        // The unknown key may match the remaining element, or the element may be new.
        check(&[unknown_key(None), b.clone()], &[""]);
        check(&[a.clone(), b.clone(), unknown_key(None)], &[]);
        check(&[a.clone(), b.clone(), unknown_key(Some(1))], &["[2].zone"]);
    }
}

#[derive(Attr, Clone, Debug)]
struct Name(String);

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Named {
    set: Option<Set<Tag>>,
    #[attr(block)]
    set_block: Set<Tag>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Tag {
    #[attr(requires_replace)]
    name: Option<Name>,
    #[attr(requires_replace)]
    address: Option<std::net::Ipv6Addr>,
    count: Option<i64>,
}

#[test]
fn semantically_equal_set_element_does_not_require_replacement() {
    let tag = |name: &str, count: i64| config! { name = name, count = count };
    let address_element = |address: &str, count: i64| config! { address = address, count = count };
    for name in ["set", "set_block"] {
        let write = |tags: &[Configuration]| hold(name, Some(tags)).unwrap();
        for (before, after, replaces) in [
            (vec![tag("A", 1)], vec![tag("a", 2)], false),
            (vec![tag("A", 1)], vec![tag("A", 2)], false),
            (vec![tag("A", 1)], vec![tag("b", 2)], true),
            (vec![tag("A", 1)], vec![tag("a", 2), tag("A", 3)], true),
            (vec![tag("A", 1), tag("B", 1)], vec![tag("b", 2), tag("a", 3)], false),
            (vec![address_element("::1", 1)], vec![address_element("0::1", 2)], false),
            (vec![address_element("::1", 1)], vec![address_element("::2", 2)], true),
        ] {
            let planned_change = planned_change::<Named>(write(&before), write(&after));
            assert_eq!(planned_change != "update", replaces, "{name}: {before:?} {after:?}");
        }
    }
}

/// An enum with data. While it is unknown, the variant is unknown too.
#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Bucket(Zoned),
    Text(String),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    name: String,
    source: Option<Source>,
}

#[test]
fn unknown_enum_may_require_replacement() {
    let state = || config! { name = "f", source = { bucket = { zone = "x" } } };
    let check = |config, expected: &str| assert_eq!(planned_change::<File>(state(), config), expected);
    check(config! { name = "f", source = (unknown()) }, "source");
    check(config! { name = "f", source = { bucket = (unknown()) } }, "source.bucket");
    check(config! { name = "f", source = { text = "t" } }, "update");
    check(config! { name = "g", source = { bucket = { zone = "x" } } }, "update");
}

/// Plans 5,000 elements in which everything but the immutable attribute changes, with known and with unknown keys.
#[test]
fn replacement_scales_to_5000_elements() {
    const COUNT: i64 = 5_000;
    let tags = |range: &mut dyn Iterator<Item = i64>, count: i64| {
        let address = |i: i64| Value::from(format!("::{i:x}"));
        let tag =
            |i| Value::object([("name", Value::Null), ("address", address(i)), ("count", count.into())]);
        Value::object([("set", Value::set(range.map(tag))), ("set_block", Value::set([]))])
    };
    let (state, config) = (tags(&mut (1..COUNT), 1), tags(&mut (1..COUNT).rev(), 2));
    assert_eq!(replacement_paths::<Named>(state, config), [""; 0]);
    let disks = |k: fn(i64) -> Value| {
        let string = |i: i64| Value::from(format!("{i}"));
        let disk =
            |i| Value::object([("k", k(i)), ("zone", Value::Null), ("size", 7.into()), ("note", string(i))]);
        let nothing = Value::List(Vec::new());
        let list = Value::List((1..COUNT).map(disk).collect());
        Value::object([
            ("set", Value::Null),
            ("list", list),
            ("list_block", nothing),
            ("set_block", Value::set([])),
        ])
    };
    let (state, config) = (disks(|i| Value::from(format!("k{i}"))), disks(|_| Value::UNKNOWN));
    assert_eq!(replacement_paths::<Disks>(state, config), [""; 0]);
}

/// Plans within the deadline and returns the replacement paths.
fn replacement_paths<M: Model>(state: Value, config: Value) -> Vec<String> {
    let response = within_deadline(|| crate::common::planned(M::schema(), state, config));
    response.requires_replace.iter().map(ToString::to_string).collect()
}

/// The action that is planned with unknown values is also the final one.
#[test]
fn action_planned_with_unknown_values_is_applied() {
    let mut tried = 0;
    let objects = [
        vec![config! { zone = "x", note = "n" }],
        vec![config! { zone = "x", note = "m" }],
        vec![config! { zone = "y" }, config! { zone = "x", note = "n" }],
        vec![config! { note = "n" }],
        vec![],
    ];
    for (before, after) in objects.iter().flat_map(|a| objects.iter().map(move |b| (a, b))) {
        for name in NESTINGS {
            if let (Some(state), Some(config)) = (hold(name, Some(before)), hold(name, Some(after))) {
                tried += instance(Nestings::schema(), true, Some(state)).plan_with_unknowns(config);
            }
        }
    }
    let list = |elements: &[(&str, Option<&str>)]| -> Literal {
        let element = |(k, zone): &(&str, Option<&str>)| {
            let element = at("k", *k);
            Literal::from(zone.iter().fold(element, |element, zone| element.set("zone", *zone)))
        };
        Literal::Tuple(elements.iter().map(element).collect())
    };
    let all = [
        vec![("a", Some("1"))],
        vec![("a", Some("2")), ("b", Some("1"))],
        vec![("b", Some("1")), ("a", Some("1"))],
        vec![("a", None), ("b", None)],
    ];
    for (before, after) in all[..3].iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        for name in ["list", "keyed_set", "keyed_list"] {
            let state = Some(at(name, list(before)));
            tried += instance(Collections::schema(), true, state).plan_with_unknowns(at(name, list(after)));
        }
    }
    assert!(tried > 400, "{tried}");
}
