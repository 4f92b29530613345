use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "")]
struct File {
    project: String,
    name: String,
}

fn main() {}
