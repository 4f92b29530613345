use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(key, computed)]
    name: String,
}

fn main() {}
