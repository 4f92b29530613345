use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(computed, plan_with)]
    name: String,
}

fn main() {}
