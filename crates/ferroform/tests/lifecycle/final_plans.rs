//! A plan with unknown values agrees with the final plan, and the final plan with the new state.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Known, Model, Planned, ReadCx, Resource, Result, Set, Unknown};
use ferroform_testing::{Configuration, Harness, Invariant, Literal, config, provider, unknown};

/// A resource with every attribute behavior.
#[derive(Model, Clone, Debug, PartialEq)]
struct Rich {
    #[attr(requires_replace)]
    name: String,
    note: Option<String>,
    tags: Option<BTreeSet<String>>,
    #[attr(optional, computed)]
    size: i64,
    #[attr(optional, computed, requires_replace_if_configured)]
    zone: String,
    #[attr(default = "blue")]
    color: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed, use_non_null_state_for_unknown)]
    alias: Option<String>,
    #[attr(computed, follows(note))]
    letters: i64,
    #[attr(computed, follows(letters, color))]
    twice: i64,
    #[attr(computed)]
    revision: i64,
    #[attr(mixed)]
    owner: Option<Part>,
    #[attr(mixed)]
    list: Vec<Part>,
    #[attr(mixed)]
    set: BTreeSet<Part>,
    #[attr(mixed)]
    map: BTreeMap<String, Part>,
    #[attr(block, mixed)]
    step: Vec<Part>,
    #[attr(block, mixed)]
    rule: BTreeSet<Part>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    port: u8,
    note: Option<String>,
    #[attr(default = "ssd")]
    kind: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed, follows(note))]
    letters: i64,
    #[attr(computed)]
    mark: String,
}

provider! { Test { resource Rich = "test_rich", resource Racks = "test_racks" } }

fn letters(note: Option<&String>) -> i64 {
    note.map_or(0, |it| i64::try_from(it.len()).unwrap())
}

fn part(it: Planned<Part>) -> Part {
    Part {
        id: it.id.unwrap_or_else(|| format!("part {}", it.port)),
        letters: letters(it.note.as_ref()),
        mark: it.mark.unwrap_or_else(|| format!("{} {}", it.kind, it.port)),
        port: it.port,
        note: it.note,
        kind: it.kind,
    }
}

fn computed_values(plan: Planned<Rich>, revision: i64) -> RichComputed {
    let letters = letters(plan.note.as_ref());
    RichComputed {
        size: plan.size.unwrap_or(7),
        zone: plan.zone.unwrap_or_else(|| "north".into()),
        id: plan.id.unwrap_or_else(|| plan.name.clone()),
        alias: match plan.alias {
            Known(it) => it,
            Unknown => (letters > 2).then(|| "alias".into()),
        },
        letters,
        twice: letters * 2,
        revision: plan.revision.unwrap_or(revision),
        owner: plan.owner.map(part),
        list: plan.list.into_iter().map(part).collect(),
        set: plan.set.into_iter().map(part).collect(),
        map: plan.map.into_iter().map(|(key, it)| (key, part(it))).collect(),
        step: plan.step.into_iter().map(part).collect(),
        rule: plan.rule.into_iter().map(part).collect(),
    }
}

impl Resource for Rich {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RichComputed> {
        Ok(computed_values(plan, 1))
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<RichComputed> {
        Ok(computed_values(plan, prior.revision + 1))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A pseudo-random generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one_in(&mut self, most: u64) -> bool {
        self.below(most) == 0
    }
}

/// The initial value, which may be unknown, and the final value.
#[derive(Clone)]
struct Values {
    first: Literal,
    last: Literal,
}

fn values(random: &mut Random, last: impl Into<Literal>) -> Values {
    let last = last.into();
    let first = if random.one_in(6) { unknown() } else { last.clone() };
    Values { first, last }
}

fn string(random: &mut Random) -> Literal {
    Literal::from(["a", "bb", "ccc"][usize::try_from(random.below(3)).unwrap()])
}

/// The initial and the final configuration.
#[derive(Default)]
struct Configurations {
    first: Configuration,
    last: Configuration,
}

impl Configurations {
    fn set(&mut self, name: &str, it: Values) {
        self.first = std::mem::take(&mut self.first).set(name, it.first);
        self.last = std::mem::take(&mut self.last).set(name, it.last);
    }

    fn maybe(&mut self, random: &mut Random, name: &str, value: fn(&mut Random) -> Literal) {
        // An omitted attribute may be unknown at first and null in the end.
        let value = if random.one_in(2) { value(random) } else { Literal::Null };
        let values = values(random, value);
        self.set(name, values);
    }

    fn block(&mut self, name: &str, it: Configurations) {
        self.first = std::mem::take(&mut self.first).block(name, it.first);
        self.last = std::mem::take(&mut self.last).block(name, it.last);
    }
}

fn inside(random: &mut Random, port: u64) -> Configurations {
    let mut configurations = Configurations::default();
    let port = values(random, port);
    configurations.set("port", port);
    configurations.maybe(random, "note", string);
    configurations.maybe(random, "kind", string);
    configurations
}

/// Returns parts with different ports. Some are wholly unknown at first.
fn parts(random: &mut Random) -> Vec<Configurations> {
    let ports: Vec<u64> = (1..5).filter(|_| random.one_in(2)).collect();
    ports.into_iter().map(|port| inside(random, port)).collect()
}

fn maybe_unknown(random: &mut Random, first: Literal, last: Literal) -> Values {
    Values { first: if random.one_in(12) { unknown() } else { first }, last }
}

fn configuration(random: &mut Random) -> Configurations {
    let mut configurations = Configurations::default();
    // An unknown or another name requires replacement.
    let name = if random.one_in(4) { string(random) } else { Literal::from("a") };
    let name =
        if random.one_in(2) { Values { first: name.clone(), last: name } } else { values(random, name) };
    configurations.set("name", name);
    for name in ["note", "zone", "color"] {
        configurations.maybe(random, name, string);
    }
    configurations.maybe(random, "size", |random| random.below(3).into());
    configurations.maybe(random, "tags", |random| vec![string(random)].into());
    if random.one_in(2) {
        let owner = inside(random, 1);
        let owner = maybe_unknown(random, Literal::Object(owner.first), Literal::Object(owner.last));
        configurations.set("owner", owner);
    }
    for name in ["list", "set"] {
        let all = parts(random);
        let side = |of: fn(&Configurations) -> &Configuration| {
            Literal::Tuple(all.iter().map(|it| Literal::Object(of(it).clone())).collect())
        };
        let values = maybe_unknown(random, side(|it| &it.first), side(|it| &it.last));
        configurations.set(name, values);
    }
    let all = parts(random);
    let side = |of: fn(&Configurations) -> &Configuration| {
        let keyed = all.iter().enumerate().map(|(i, it)| (format!("k{i}"), Literal::Object(of(it).clone())));
        Literal::from(keyed.collect::<BTreeMap<_, _>>())
    };
    let values = maybe_unknown(random, side(|it| &it.first), side(|it| &it.last));
    configurations.set("map", values);
    for name in ["step", "rule"] {
        for it in parts(random) {
            configurations.block(name, it);
        }
    }
    configurations
}

/// The test kit checks every plan, final plan, result and second plan by Terraform's rules.
#[test]
fn final_plan_agrees_with_initial_plan() {
    let harness =
        Harness::start::<Test>(ferroform_testing::config! {}).skip_check(Invariant::DestroyRemovesObject);
    for seed in 0..120 {
        let mut random = Random(seed);
        let mut rich = harness.resource("test_rich");
        for _ in 0..3 {
            let configurations = configuration(&mut random);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                rich.apply_once_known(configurations.first.clone(), configurations.last.clone());
            }));
            if let Err(error) = result {
                let error = error.downcast_ref::<String>().cloned().unwrap_or_default();
                panic!(
                    "seed {seed}:\n{error}\nfirst {:#?}\nlast {:#?}",
                    configurations.first, configurations.last
                );
            }
        }
    }
}

/// Sets in sets without keys.
#[derive(Model, Clone, Debug, PartialEq)]
struct Racks {
    #[attr(mixed)]
    racks: Set<Rack>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Rack {
    label: Option<String>,
    #[attr(mixed)]
    guests: Set<Guest>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Guest {
    #[attr(optional, computed, semantic_eq = str::eq_ignore_ascii_case)]
    name: String,
}

fn racks(plan: Planned<Racks>) -> RacksComputed {
    let guest = |it: Planned<Guest>| Guest { name: it.name.unwrap_or_else(|| "new".into()) };
    let rack = |it: Planned<Rack>| Rack {
        label: it.label.clone(),
        guests: it.guests.into_iter().map(guest).collect(),
    };
    RacksComputed { racks: plan.racks.into_iter().map(rack).collect() }
}

impl Resource for Racks {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RacksComputed> {
        Ok(racks(plan))
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<RacksComputed> {
        Ok(racks(plan))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// If an unknown value turns out to be equal to that of a sibling, the inner set has as many elements as before, and its
/// names stay as they are in the prior state.
#[test]
fn final_plan_agrees_with_initial_plan_if_a_nested_set_loses_an_element() {
    let guests = |names: Vec<Literal>| -> Literal {
        let guests: Vec<_> = names.into_iter().map(|name| Literal::from(config! { name = name })).collect();
        Literal::from(config! { label = "a", guests = guests })
    };
    let racks = |rack: Literal| Configuration::new().set("racks", Literal::Tuple(vec![rack]));
    let mut instance = Harness::start::<Test>(config! {}).resource("test_racks");
    instance.apply(racks(guests(vec!["".into(), "C".into()])));
    let first = guests(vec!["".into(), unknown(), "c".into()]);
    let last = guests(vec!["".into(), "c".into(), "c".into()]);
    let planned = instance.apply_once_known(racks(first), racks(last));
    expect_test::expect![[r#"
        update
        ~ racks = [{guests = [{name = ""}, {name = "C"}], label = "a"}] -> [{guests = [{name = (known after apply)}, {name = (known after apply)}, {name = (known after apply)}], label = "a"}]"#]].assert_eq(&planned.to_string());
}
