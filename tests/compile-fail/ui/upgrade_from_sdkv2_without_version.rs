use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(upgrade_from_sdkv2)]
struct Queue {
    name: String,
}

fn main() {}
