use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = name)]
struct File {
    name: String,
}

fn main() {}
