use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1..=2)]
struct Server {
    name: String,
}

fn main() {}
