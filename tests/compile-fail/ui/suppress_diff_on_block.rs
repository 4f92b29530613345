use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(block, suppress_diff = f)]
    part: Vec<Part>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    name: String,
}

fn f(a: &[Part], b: &[Part]) -> bool {
    a == b
}

fn main() {}
