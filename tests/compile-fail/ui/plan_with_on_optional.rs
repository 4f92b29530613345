use ferroform::schema::ValueChange;
use ferroform::{Maybe, Model, Unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(plan_with = f)]
    name: Option<String>,
}

fn f(_: &ValueChange<String>) -> Maybe<String> {
    Unknown
}

fn main() {}
