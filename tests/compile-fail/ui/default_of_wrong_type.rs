use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(default = 1)]
    path: String,
}

fn main() {}
