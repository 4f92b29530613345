use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{project}/{token}")]
struct File {
    project: String,
    #[attr(write_only)]
    token: Option<String>,
}

fn main() {}
