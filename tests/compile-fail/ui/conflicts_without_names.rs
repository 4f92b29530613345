use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(conflicts_with())]
    path: Option<String>,
}

fn main() {}
