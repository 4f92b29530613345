use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(object)]
    names: Vec<String>,
}

fn main() {}
