use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(conflicting(path))]
struct File {
    path: Option<String>,
    url: Option<String>,
}

fn main() {}
