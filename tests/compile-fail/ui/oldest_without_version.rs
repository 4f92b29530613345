use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(oldest)]
struct File {
    path: String,
}

fn main() {}
