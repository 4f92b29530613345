use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(suppress_on_refresh)]
    name: String,
}

fn main() {}
