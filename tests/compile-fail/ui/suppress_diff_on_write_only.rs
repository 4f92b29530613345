use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(write_only, suppress_diff = f)]
    name: String,
}

fn f(a: &str, b: &str) -> bool {
    a == b
}

fn main() {}
