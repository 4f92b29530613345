use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(optional)]
    path: String,
}

fn main() {}
