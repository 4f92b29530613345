use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(force_new)]
    path: String,
}

fn main() {}
