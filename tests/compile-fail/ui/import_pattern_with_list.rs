use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{project}/{tags}")]
struct File {
    project: String,
    tags: Vec<String>,
}

fn main() {}
