use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(suppress_diff = f)]
    size: i64,
}

fn f(a: &str, b: &str) -> bool {
    a == b
}

fn main() {}
