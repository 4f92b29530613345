use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct User {
    #[attr(write_only)]
    password: Option<String>,
    #[attr(computed, follows(password))]
    revision: u64,
}

fn main() {}
