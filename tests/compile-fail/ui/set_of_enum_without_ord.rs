use std::collections::BTreeSet;
use ferroform::{Attr, Model};
#[derive(Model, Clone, Debug, PartialEq)]
struct Server { sizes: BTreeSet<Size> }
#[derive(Attr, Clone, Debug, PartialEq)]
enum Size { Small, Large }
fn main() { Server::schema(); }
