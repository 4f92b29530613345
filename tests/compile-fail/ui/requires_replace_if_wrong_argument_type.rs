use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(requires_replace_if = f)]
    size: i64,
}

fn f(_: &ferroform::schema::ValueChange<String>) -> bool {
    true
}

fn main() {}
