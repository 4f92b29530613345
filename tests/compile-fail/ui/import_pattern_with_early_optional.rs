use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name?}/{project}")]
struct File {
    project: String,
    name: Option<String>,
}

fn main() {}
