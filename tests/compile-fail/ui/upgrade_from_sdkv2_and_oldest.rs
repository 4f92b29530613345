use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, oldest, upgrade_from_sdkv2)]
struct Queue {
    name: String,
}

fn main() {}
