use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(mutable_identity)]
struct File {
    path: String,
}

fn main() {}
