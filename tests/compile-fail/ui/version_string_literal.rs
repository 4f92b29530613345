use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = "1")]
struct File {
    path: String,
}

fn main() {}
