use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{project}/{owner}")]
struct File {
    project: String,
    owner: Owner,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn main() {}
