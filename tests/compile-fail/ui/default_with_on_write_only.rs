use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(write_only, default_with = f)]
    name: String,
}

fn f() -> Option<String> {
    None
}

fn main() {}
