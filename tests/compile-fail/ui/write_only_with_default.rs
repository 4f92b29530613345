use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(write_only, default = "x")]
    path: String,
}

fn main() {}
