use std::collections::BTreeMap;

use ferroform::Data;

fn main() {
    let names: BTreeMap<u16, String> = BTreeMap::new();
    let _ = Data::of(&names);
}
