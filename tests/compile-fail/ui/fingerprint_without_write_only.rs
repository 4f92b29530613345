use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct User {
    #[attr(sensitive, fingerprint)]
    password: Option<String>,
    #[attr(computed, follows(password))]
    revision: u64,
}

fn main() {}
