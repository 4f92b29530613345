use ferroform::schema::ValueChange;
use ferroform::{Maybe, Model, Unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(computed, plan_with = f)]
    name: String,
}

fn f(_: &ValueChange<String>) -> Maybe<i64> {
    Unknown
}

fn main() {}
