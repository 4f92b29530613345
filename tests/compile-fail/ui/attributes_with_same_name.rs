use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(rename = "path")]
    other: String,
}

fn main() {}
