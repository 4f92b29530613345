use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(requires(path))]
    path: Option<String>,
}

fn main() {}
