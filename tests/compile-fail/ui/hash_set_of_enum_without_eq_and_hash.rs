use std::collections::HashSet;
use ferroform::{Attr, Model};
#[derive(Model, Clone, Debug, PartialEq)]
struct Server { sizes: HashSet<Size> }
#[derive(Attr, Clone, Debug, PartialEq)]
enum Size { Small, Large }
fn main() { Server::schema(); }
