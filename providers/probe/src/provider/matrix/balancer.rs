//! The resource `probe_balancer`: the counterpart of an optional and computed block of SDKv2.

use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Resource, Result, Unknown};

use super::super::Probe;
use super::methods::state_only_methods;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Balancer {
    name: String,
    note: Option<String>,
    /// The listeners. If the configuration omits them, the service chooses one.
    #[attr(object, optional, computed, use_state_for_unknown)]
    listener: Vec<Listener>,
    /// The endpoints of the listeners.
    #[attr(object, computed, follows(listener))]
    endpoint: Vec<Endpoint>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Listener {
    port: u16,
    label: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Endpoint {
    url: String,
}

impl Balancer {
    fn computed_values(plan: Planned<Self>) -> Result<BalancerComputed> {
        let listener: Vec<Listener> = match plan.listener {
            Known(all) => {
                let listeners = all.into_iter().filter_map(Maybe::known).map(Listener::try_from);
                listeners.collect::<Result<_, _>>()?
            }
            Unknown => vec![Listener { port: 80, label: None }],
        };
        let endpoint =
            listener.iter().map(|it| Endpoint { url: format!("http://{}:{}", plan.name, it.port) });
        Ok(BalancerComputed { endpoint: endpoint.collect(), listener })
    }
}

impl Resource for Balancer {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<BalancerComputed> {
        Balancer::computed_values(plan)
    }

    async fn update(_: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<BalancerComputed> {
        Balancer::computed_values(plan)
    }

    state_only_methods!();
}
