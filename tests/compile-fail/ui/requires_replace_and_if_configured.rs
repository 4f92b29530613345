use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(requires_replace, requires_replace_if_configured)]
    path: String,
}

fn main() {}
