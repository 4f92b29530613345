use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(default_with = f)]
    name: String,
}

fn f() -> String {
    String::new()
}

fn main() {}
