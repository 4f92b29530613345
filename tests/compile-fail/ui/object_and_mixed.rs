use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(object, mixed)]
    ports: Vec<Port>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Port {
    number: u16,
}

fn main() {}
