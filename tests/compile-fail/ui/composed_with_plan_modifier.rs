use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Grant {
    role: String,
    database: Option<String>,
    tags: Vec<String>,
    #[attr(composed = "{role}", use_state_for_unknown)]
    id: String,
}

fn main() {}
