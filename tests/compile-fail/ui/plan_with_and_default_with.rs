use ferroform::schema::ValueChange;
use ferroform::{Maybe, Model, Unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(default_with = || Some(String::new()), plan_with = f)]
    name: String,
}

fn f(_: &ValueChange<String>) -> Maybe<String> {
    Unknown
}

fn main() {}
