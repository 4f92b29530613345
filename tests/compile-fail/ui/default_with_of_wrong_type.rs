use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(default_with = f)]
    size: i64,
}

fn f() -> Option<String> {
    None
}

fn main() {}
