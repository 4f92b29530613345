use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "files/{name?}")]
struct File {
    project: String,
    name: Option<String>,
}

fn main() {}
