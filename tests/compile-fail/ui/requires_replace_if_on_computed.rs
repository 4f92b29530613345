use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(computed, requires_replace_if = f)]
    name: String,
}

fn f(_: &ferroform::schema::ValueChange<String>) -> bool {
    true
}

fn main() {}
