use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(equal_to_product_of(small, large))]
    total: String,
    small: i64,
    large: i64,
}

fn main() {}
