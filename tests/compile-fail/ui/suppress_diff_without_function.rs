use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(suppress_diff)]
    name: String,
}

fn main() {}
