use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(write_only, requires_replace_if_configured)]
    key: Option<String>,
}

fn main() {}
