use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(at_least_sum_of(small, large))]
    total: i64,
    small: i64,
    large: String,
}

fn main() {}
