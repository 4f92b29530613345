use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(requires_replace, requires_replace_if = f)]
    name: String,
}

fn f(_: &ferroform::schema::ValueChange<String>) -> bool {
    true
}

fn main() {}
