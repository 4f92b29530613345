use std::thread::ThreadId;

use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Text(ThreadId),
}

fn main() {}
