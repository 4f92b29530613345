use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(force_new)]
    name: String,
}

fn main() {}
