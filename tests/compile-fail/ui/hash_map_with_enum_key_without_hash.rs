use std::collections::HashMap;
use ferroform::{Attr, Model};
#[derive(Model, Clone, Debug, PartialEq)]
struct Server { sizes: HashMap<Size, u64> }
#[derive(Attr, Clone, Debug, PartialEq, Eq)]
enum Size { Small, Large }
fn main() { Server::schema(); }
