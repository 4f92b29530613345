use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(object, flatten)]
    port: Port,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Port {
    number: u16,
}

fn main() {}
