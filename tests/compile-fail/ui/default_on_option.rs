use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(default = None)]
    path: Option<String>,
}

fn main() {}
