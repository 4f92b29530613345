use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = short)]
enum Level {
    Low,
}

fn main() {}
