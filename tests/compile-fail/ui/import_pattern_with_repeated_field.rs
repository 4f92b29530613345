use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name}/{name}")]
struct File {
    project: String,
    name: String,
}

fn main() {}
