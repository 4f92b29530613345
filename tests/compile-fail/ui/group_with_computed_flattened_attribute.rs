use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Common {
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(required_together(path, id))]
struct File {
    #[attr(flatten)]
    common: Common,
    path: Option<String>,
}

fn main() {}
