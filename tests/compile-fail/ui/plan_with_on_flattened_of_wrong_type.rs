use ferroform::{Change, Model, Proposed, Result};

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    name: String,
    #[attr(flatten, plan_with = plan_network)]
    network: Network,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Network {
    #[attr(computed)]
    address: String,
}

fn plan_network(change: Change<Network>) -> Result<Proposed<Network>> {
    Ok(change.plan)
}

fn main() {}
