use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(use_state_for_unknown)]
    path: String,
}

fn main() {}
