use ferroform::{Attr, Model};
#[derive(Model, Clone, Debug, PartialEq)]
struct Server { size: Size, other: Option<Size> }
#[derive(Attr, Clone, PartialEq)]
enum Size { Small, Large }
fn main() { Server::schema(); }
