use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Tree {
    name: String,
    children: Option<Vec<Tree>>,
}

fn main() {}
