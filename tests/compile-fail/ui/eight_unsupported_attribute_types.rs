use std::collections::BTreeMap;
use std::time::Instant;

use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    a: char,
    b: Option<Instant>,
    c: Vec<char>,
    #[attr(computed)]
    d: std::ops::Range<u8>,
    #[attr(optional, computed)]
    e: Option<char>,
    #[attr(default = 'x')]
    f: char,
    #[attr(write_only)]
    g: Option<char>,
    h: BTreeMap<u8, String>,
}

fn main() {
    Server::schema();
}
