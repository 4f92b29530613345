use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    name: String,
    #[attr(inputs_only)]
    network: Network,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Network {
    region: String,
}

fn main() {}
