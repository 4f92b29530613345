use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(key, write_only)]
    name: String,
}

fn main() {}
