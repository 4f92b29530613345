use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, use_state_for_unknown, follows(content))]
    path: String,
    content: String,
}

fn main() {}
