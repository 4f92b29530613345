use ferroform::Attr;

#[derive(Attr)]
enum Size {
    Small,
    Large,
}

fn main() {}
