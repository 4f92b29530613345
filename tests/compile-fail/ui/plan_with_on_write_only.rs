use ferroform::schema::ValueChange;
use ferroform::{Maybe, Model, Unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(write_only, plan_with = f)]
    name: String,
}

fn f(_: &ValueChange<String>) -> Maybe<String> {
    Unknown
}

fn main() {}
