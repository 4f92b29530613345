use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(object, write_only)]
    ports: std::collections::BTreeSet<Port>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Port {
    number: u16,
}

fn main() {}
