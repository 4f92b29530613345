//! The derived provider. Its resource uses all options of `#[attr(…)]`.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::defaults::env;
use ferroform::schema::ValueChange;
use ferroform::validators::{between, each, length_at_most};
use ferroform::{
    ApplyCx, Attr, Config, DataCx, DataSource, Dynamic, Known, Maybe, Model, Planned, Provider, ReadCx,
    Registry, RequestCx, Resource, Result, Timeouts, Unknown,
};

use super::{same_words, with_computed_values};

pub struct Cloud;

/// The provider configuration.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Settings {
    /// The URL of the service.
    #[attr(default_with = env("FERROFORM_NO_SUCH_VARIABLE").otherwise("https://example.com"))]
    endpoint: String,
    #[attr(sensitive)]
    token: Option<String>,
}

/// Provider metadata.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Module {
    cost_centre: Option<String>,
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "registry.terraform.io/acme/cloud";
    type Config = Settings;

    async fn configure(_: &RequestCx, _: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(Known(Cloud))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Machine>("cloud_machine")
            .data_source::<Image>("cloud_image")
            .provider_meta::<Module>();
    }
}

/// A disk image.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Image {
    name: String,
    #[attr(computed)]
    size: u64,
}

impl DataSource for Image {
    type Provider = Cloud;

    async fn read(_: &DataCx<Self>, _: ferroform::Args<Self>) -> Result<ImageComputed> {
        Ok(ImageComputed { size: 7 })
    }
}

/// A machine.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, oldest, deprecated = "Use a server.", import = "{name}")]
#[attr(exactly_one_of(image, snapshot), required_together(user, secret), validate = no_root)]
pub struct Machine {
    /// The name of the machine.
    #[attr(identity, requires_replace, validate = length_at_most(8))]
    name: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// *Plain*.
    #[attr(plain_description, deprecated = "Take a snapshot.")]
    image: Option<String>,
    snapshot: Option<String>,
    user: Option<String>,
    #[attr(sensitive, requires_replace_if_configured)]
    secret: Option<String>,
    #[attr(default = 10, validate = between(1, 100))]
    size: u16,
    #[attr(default_with = env("FERROFORM_NO_SUCH_VARIABLE").otherwise("eu"))]
    region: String,
    #[attr(optional, computed, use_non_null_state_for_unknown)]
    zone: Option<String>,
    #[attr(computed, follows(name, zone))]
    url: String,
    #[attr(write_only, fingerprint)]
    password: Option<String>,
    #[attr(computed, follows(password))]
    password_revision: u64,
    #[attr(suppress_diff = str::eq_ignore_ascii_case, suppress_on_refresh)]
    note: Option<String>,
    #[attr(semantic_eq = same_words)]
    words: Option<Vec<String>>,
    #[attr(requires_replace_if = shrinks)]
    capacity: Option<u64>,
    #[attr(computed, plan_with = next)]
    revision: u64,
    #[attr(min_items = 1, max_items = 3, validate = each(between(1, 65_535)))]
    ports: Option<BTreeSet<u32>>,
    labels: Option<BTreeMap<String, String>>,
    any: Option<Dynamic>,
    #[attr(conflicts_with(high))]
    low: Option<u64>,
    high: Option<u64>,
    #[attr(at_most_sum_of(low, high))]
    sum: Option<u64>,
    source: Option<Source>,
    #[attr(mixed)]
    disks: Vec<Disk>,
    rules: Option<BTreeSet<Rule>>,
    routes: Option<BTreeMap<String, Route>>,
    /// The network route of the boot server.
    #[attr(block)]
    boot: Route,
    #[attr(block, min_items = 1, max_items = 2, requires_replace)]
    port: Vec<Route>,
    #[attr(block, deprecated = "Use labels.")]
    tag: BTreeSet<Rule>,
    #[attr(block)]
    route: BTreeMap<String, Route>,
    #[attr(block, optional, computed, use_state_for_unknown)]
    endpoint: Vec<Endpoint>,
    #[attr(timeouts(create = "30m", delete))]
    timeouts: Option<Timeouts>,
}

/// The source of the content.
#[derive(Attr, Clone, Debug, PartialEq)]
pub enum Source {
    /// A bucket.
    Bucket(Route),
    /// The content as a string.
    Text(String),
}

/// A disk.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Disk {
    #[attr(key)]
    slot: u16,
    #[attr(default = "ssd", requires_replace)]
    kind: String,
    #[attr(computed, use_state_for_unknown)]
    serial: String,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    #[attr(key)]
    number: u16,
    note: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub struct Route {
    #[attr(validate = length_at_most(8))]
    to: String,
    via: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub struct Endpoint {
    #[attr(optional, computed)]
    host: String,
}

fn shrinks(it: &ValueChange<u64>) -> bool {
    match (it.prior, it.plan) {
        (Some(old), Known(Some(new))) => new < old,
        (_, Known(_)) => false,
        (_, Unknown) => true,
    }
}

fn next(it: &ValueChange<u64>) -> Maybe<u64> {
    match (it.plan, it.prior) {
        (Unknown, prior) => Known(prior.unwrap_or(0) + 1),
        (Known(_), prior) => Known(prior.unwrap_or(0)),
    }
}

fn no_root(it: &Config<Machine>) -> Result<(), &'static str> {
    match &it.user {
        Known(Some(user)) if user == "root" => Err("a user other than root is required"),
        _ => Ok(()),
    }
}

impl Resource for Machine {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
        Ok(Machine::from_value(&with_computed_values(plan.to_value()))?.into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<MachineComputed> {
        Ok(Machine::from_value(&with_computed_values(plan.to_value()))?.into())
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
