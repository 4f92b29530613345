use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(object)]
    hosts: Vec<Host>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Host {
    ports: Vec<Port>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Port {
    #[attr(sensitive)]
    number: u16,
}

fn main() {}
