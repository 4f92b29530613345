use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(rename = "Path")]
    path: String,
}

fn main() {}
