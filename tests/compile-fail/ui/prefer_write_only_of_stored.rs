use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(prefer_write_only(token))]
    key: Option<String>,
    token: Option<String>,
}

fn main() {}
