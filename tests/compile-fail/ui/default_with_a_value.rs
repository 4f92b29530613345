use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(default_with = "eu")]
    region: String,
}

fn main() {}
