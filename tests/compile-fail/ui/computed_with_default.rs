use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, default = "x")]
    path: String,
}

fn main() {}
