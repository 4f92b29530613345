use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(requires_replace_if = f, requires_replace_if_configured)]
    name: String,
}

fn f(_: &ferroform::schema::ValueChange<String>) -> bool {
    true
}

fn main() {}
