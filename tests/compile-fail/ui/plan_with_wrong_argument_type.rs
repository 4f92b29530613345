use ferroform::schema::ValueChange;
use ferroform::{Maybe, Model, Unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(computed, plan_with = f)]
    name: i64,
}

fn f(_: &ValueChange<String>) -> Maybe<String> {
    Unknown
}

fn main() {}
