use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    name: String,
    #[attr(flatten, inputs_only)]
    network: Network,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Network {
    #[attr(computed)]
    address: String,
}

fn main() {}
