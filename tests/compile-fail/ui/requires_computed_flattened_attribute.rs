use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Common {
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(flatten)]
    common: Common,
    #[attr(requires(id))]
    path: Option<String>,
}

fn main() {}
