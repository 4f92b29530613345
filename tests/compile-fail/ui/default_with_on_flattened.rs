use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(flatten, default_with = f)]
    part: Part,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    name: String,
}

fn f() -> Option<Part> {
    None
}

fn main() {}
