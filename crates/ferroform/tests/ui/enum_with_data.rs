use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
enum Level {
    Low,
    High(u8),
}

fn main() {}
