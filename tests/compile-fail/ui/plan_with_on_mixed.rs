use ferroform::schema::ValueChange;
use ferroform::{Maybe, Model, Unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(mixed, plan_with = f)]
    name: Part,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    #[attr(computed)]
    id: String,
}

fn f(_: &ValueChange<Part>) -> Maybe<Part> {
    Unknown
}

fn main() {}
