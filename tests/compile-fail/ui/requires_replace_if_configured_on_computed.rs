use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, requires_replace_if_configured)]
    id: String,
}

fn main() {}
