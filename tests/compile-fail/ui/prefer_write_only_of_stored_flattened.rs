use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Common {
    key_wo: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(flatten)]
    common: Common,
    #[attr(prefer_write_only(key_wo))]
    key: Option<String>,
}

fn main() {}
