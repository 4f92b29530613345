use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(key, block)]
    part: Part,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    name: String,
}

fn main() {}
