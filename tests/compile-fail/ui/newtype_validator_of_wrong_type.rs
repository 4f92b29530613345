use ferroform::Attr;

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = even)]
struct Id(String);

fn even(number: &u64) -> Result<(), &'static str> {
    if number % 2 == 0 { Ok(()) } else { Err("even numbers only") }
}

fn main() {}
