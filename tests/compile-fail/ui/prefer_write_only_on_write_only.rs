use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(write_only, prefer_write_only(token))]
    key: Option<String>,
    #[attr(write_only)]
    token: Option<String>,
}

fn main() {}
