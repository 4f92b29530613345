use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(optional, default = "x")]
    path: String,
}

fn main() {}
