use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{project}/{name?}", import = "{project}")]
struct File {
    project: String,
    name: Option<String>,
}

fn main() {}
