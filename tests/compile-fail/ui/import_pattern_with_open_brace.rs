use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{project/{name}")]
struct File {
    project: String,
    name: String,
}

fn main() {}
