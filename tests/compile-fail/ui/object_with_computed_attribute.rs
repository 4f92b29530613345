use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(object)]
    ports: Vec<Port>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Port {
    #[attr(computed)]
    number: u16,
}

fn main() {}
