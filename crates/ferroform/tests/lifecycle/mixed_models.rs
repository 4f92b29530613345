//! Mixed and flattened models: Ferroform takes the inputs from the plan.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
use ferroform_testing::{Action, Configuration, Harness, Invariant, config, provider};

provider! { Cloud { resource Cluster = "cloud_cluster" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Cluster {
    #[attr(flatten)]
    location: Location,
    #[attr(mixed)]
    main: Pool,
    #[attr(mixed)]
    spare: Option<Pool>,
    #[attr(block, mixed)]
    pool: Vec<Pool>,
    #[attr(mixed)]
    by_name: BTreeMap<String, Pool>,
    #[attr(mixed)]
    keyed: BTreeSet<Keyed>,
    #[attr(optional, computed)]
    template: Pool,
}

/// A flattened model with an input and a computed value.
#[derive(Model, Clone, Debug, PartialEq)]
struct Location {
    region: String,
    #[attr(computed)]
    url: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Pool {
    size: u64,
    label: Option<String>,
    #[attr(default = 3)]
    replicas: u64,
    #[attr(optional, computed)]
    zone: String,
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Keyed {
    #[attr(key)]
    name: String,
    size: Option<u64>,
    #[attr(computed)]
    id: String,
}

fn keyed(name: &str, size: u64) -> Keyed {
    Keyed { name: name.into(), size: Some(size), id: format!("id of {name}") }
}

fn pool(size: u64) -> Pool {
    Pool { size, label: Some("old".into()), replicas: 1, zone: "a".into(), id: format!("p{size}") }
}

/// A cluster whose inputs are those of another request.
fn other_cluster() -> Cluster {
    Cluster {
        location: Location { region: "old".into(), url: "https://old".into() },
        main: pool(10),
        spare: Some(pool(20)),
        pool: vec![pool(30), pool(31)],
        by_name: BTreeMap::from([("a".to_owned(), pool(40))]),
        keyed: BTreeSet::from([keyed("a", 60), keyed("b", 61)]),
        template: pool(50),
    }
}

impl Resource for Cluster {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<ClusterComputed> {
        Ok(other_cluster().into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<ClusterComputed> {
        Ok(prior.into())
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn config(region: &str, size: u64) -> Configuration {
    config! {
        region = region,
        main = { size = size, replicas = 7 },
        pool { size = size, label = "web" }
        pool { size = 2 }
        by_name = { a = { size = size } },
        keyed = [{ name = "b", size = size }, { name = "a", size = size + 1 }],
        template = { size = size }
    }
}

#[test]
fn inputs_of_mixed_models_come_from_the_plan() {
    let harness = Harness::start::<Cloud>(config! {}).skip_check(Invariant::DestroyRemovesObject);
    let mut cluster = harness.resource("cloud_cluster");
    for (region, size) in [("eu", 1), ("us", 5)] {
        cluster.apply(config(region, size));
        let state = cluster.state().get::<Cluster>(ferroform::value::Path::ROOT);
        assert_eq!(state.location, Location { region: region.into(), url: "https://old".into() });
        let planned = |size, label: Option<&str>, replicas, id: &str| Pool {
            size,
            label: label.map(str::to_owned),
            replicas,
            zone: "a".into(),
            id: id.into(),
        };
        assert_eq!(state.main, planned(size, None, 7, "p10"));
        assert_eq!(state.spare, None);
        assert_eq!(state.pool, [planned(size, Some("web"), 3, "p30"), planned(2, None, 3, "p31")]);
        assert_eq!(state.by_name["a"], planned(size, None, 3, "p40"));
        assert_eq!(state.keyed, BTreeSet::from([keyed("a", size + 1), keyed("b", size)]));
        assert_eq!(state.template, planned(size, None, 3, "p50"));
        assert_eq!(cluster.plan(config(region, size)).action, Action::NoOp);
    }
}

#[test]
fn computed_part_of_a_flattened_model_has_only_computed_fields() {
    let computed = ClusterComputed::from(other_cluster());
    let LocationComputed { url } = computed.location;
    assert_eq!(url, "https://old");
}
