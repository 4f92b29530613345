use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, required_for_import)]
    id: String,
}

fn main() {}
