use ferroform::Model;
use ferroform::validators::size_at_most;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = size_at_most(3))]
    size: String,
}

fn main() {}
