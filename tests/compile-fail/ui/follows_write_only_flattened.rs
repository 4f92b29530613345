use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Login {
    #[attr(write_only)]
    password: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct User {
    #[attr(flatten)]
    login: Login,
    #[attr(computed, follows(password))]
    revision: u64,
}

fn main() {}
