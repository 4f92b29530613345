//! The resource `probe_service`: every kind of validator, and blocks of every nesting mode.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::validators::{
    at_least, configured, each, each_key, length_at_most, one_of, unique_values, warning,
};
use ferroform::{
    ApplyCx, Config, Diagnostic, Known, Maybe, Model, Planned, ReadCx, Resource, Result, path, pattern,
};
use serde::{Deserialize, Serialize};

use super::Probe;

/// A *service* as plain text.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[attr(plain_description, conflicting(url, pattern!(owner.url)), required_together(small, large))]
#[attr(validate = no_self)]
pub(crate) struct Service {
    /// Its *name*.
    #[attr(requires_replace)]
    name: String,
    #[attr(validate = one_of(["https://example.com", "https://example.org"]))]
    url: Option<String>,
    #[attr(min_items = 1, max_items = 2, validate = unique_values(), validate = each(at_least(1024_u16)))]
    ports: Option<Vec<u16>>,
    #[attr(validate = each_key(length_at_most(3)), validate = warning(each(length_at_most(5))))]
    labels: Option<BTreeMap<String, String>>,
    #[attr(deprecated = "Use url.")]
    address: Option<String>,
    small: Option<i64>,
    large: Option<i64>,
    #[attr(equal_to_sum_of(small, large))]
    total: Option<i64>,
    #[attr(sensitive, prefer_write_only(password_wo), conflicts_with(password_wo))]
    password: Option<String>,
    #[attr(write_only)]
    #[serde(skip)]
    password_wo: Option<String>,
    #[attr(block)]
    owner: Owner,
    #[attr(block, min_items = 1, max_items = 2)]
    listener: Vec<Listener>,
    #[attr(block, max_items = 2)]
    route: BTreeMap<String, Route>,
    #[attr(block, deprecated = "Write a listener.", requires_replace)]
    alias: BTreeSet<Route>,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Owner {
    name: String,
    url: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[attr(validate = secure_ports)]
struct Listener {
    port: u16,
    secure: Option<bool>,
    #[attr(requires(secure, pattern!(super.super.super.url)))]
    host: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Route {
    target: String,
}

fn no_self(service: &Config<Service>) -> Result<()> {
    let (Known(name), Known(routes)) = (&service.name, &service.route) else { return Ok(()) };
    for (label, route) in routes {
        if route.as_known().is_some_and(|it| it.target.as_known() == Some(name)) {
            let error =
                Diagnostic::error("A service cannot be a route to itself").detail("Take another target.");
            return Err(error.at(path!(route[label.clone()].target)).into());
        }
    }
    Ok(())
}

fn secure_ports(listener: &Config<Listener>) -> Result<(), &'static str> {
    match (&listener.port, &listener.secure) {
        (Known(80), Known(Some(true))) => Err("port 80 is not secure"),
        _ => Ok(()),
    }
}

impl Resource for Service {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ServiceComputed> {
        let route = |it: Planned<Route>| Route { target: it.target };
        let listener = |it: Planned<Listener>| Listener { port: it.port, secure: it.secure, host: it.host };
        let service = Service {
            url: plan.url,
            ports: plan.ports,
            labels: plan.labels,
            address: plan.address,
            small: plan.small,
            large: plan.large,
            total: plan.total,
            password: plan.password,
            password_wo: None,
            owner: Owner { name: plan.owner.name, url: plan.owner.url },
            listener: plan.listener.into_iter().map(listener).collect(),
            route: plan.route.into_iter().map(|(key, it)| (key, route(it))).collect(),
            alias: plan.alias.into_iter().map(route).collect(),
            name: plan.name,
        };
        cx.provider.store.write(&service.name, &service)?;
        Ok(ServiceComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ServiceComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}

/// A resource with a computed block, which protocol 5 does not support.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[attr(deprecated = "Use probe_service.")]
pub(crate) struct Endpoints {
    #[attr(requires_replace)]
    name: String,
    #[attr(block, optional, computed, use_state_for_unknown, validate = configured(one_host))]
    endpoint: Vec<Endpoint>,
}

#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Endpoint {
    #[attr(optional, computed)]
    host: String,
    #[attr(computed)]
    id: String,
}

fn one_host(endpoints: &Vec<Maybe<Config<Endpoint>>>) -> Result<(), &'static str> {
    let hosts: Vec<_> = endpoints.iter().filter_map(|it| it.as_known()).map(|it| &it.host).collect();
    let twice = hosts.iter().enumerate().any(|(i, it)| it.is_known() && hosts[..i].contains(it));
    if twice { Err("each endpoint needs a different host") } else { Ok(()) }
}

impl Resource for Endpoints {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<EndpointsComputed> {
        let name = &plan.name;
        let endpoint = |(i, host): (usize, Option<String>)| Endpoint {
            host: host.unwrap_or_else(|| format!("{name}-{i}")),
            id: format!("{name}/{i}"),
        };
        let hosts = match plan.endpoint {
            Known(it) => {
                it.into_iter().map(|it| it.as_known().and_then(|it| it.host.as_known().cloned())).collect()
            }
            _ => vec![None],
        };
        let endpoint = hosts.into_iter().enumerate().map(endpoint).collect();
        let object = Endpoints { name: plan.name.clone(), endpoint };
        cx.provider.store.write(&object.name, &object)?;
        Ok(object.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.name)
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<EndpointsComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
