use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Grant {
    role: String,
    database: Option<String>,
    tags: Vec<String>,
    #[attr(composed)]
    id: String,
}

fn main() {}
