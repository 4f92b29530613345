use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(without(to_string))]
enum Size {
    Small,
    Large,
}

fn main() {}
