use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(rename = "2nd")]
    second: String,
}

fn main() {}
