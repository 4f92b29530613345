use ferroform::Attr;

#[derive(Attr)]
union Id {
    number: u32,
}

fn main() {}
