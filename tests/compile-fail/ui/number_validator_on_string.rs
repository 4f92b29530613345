use ferroform::Model;
use ferroform::validators::at_most;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = at_most(3_i64))]
    size: String,
}

fn main() {}
