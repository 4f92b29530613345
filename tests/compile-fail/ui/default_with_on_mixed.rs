use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(mixed, default_with = f)]
    part: Part,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    #[attr(computed)]
    id: String,
}

fn f() -> Option<Part> {
    None
}

fn main() {}
