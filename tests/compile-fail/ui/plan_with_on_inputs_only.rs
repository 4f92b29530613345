use ferroform::{Change, Model, PlanCx, Proposed, Resource, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    name: String,
    #[attr(flatten, inputs_only, plan_with = plan_network)]
    network: Network,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Network {
    address: String,
}

fn plan_network(_: &PlanCx<impl Resource>, change: Change<Network>) -> Result<Proposed<Network>> {
    Ok(change.plan)
}

fn main() {}
