use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(semantic_eq = f)]
    size: i64,
}

fn f(a: &str, b: &str) -> bool {
    a == b
}

fn main() {}
