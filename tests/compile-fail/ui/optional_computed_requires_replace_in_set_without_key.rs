use ferroform::{Model, Set};

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    #[attr(mixed)]
    disks: Set<Disk>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    #[attr(optional, computed, requires_replace_if_configured)]
    zone: String,
}

fn main() {}
