use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = relative)]
    path: i64,
}

fn relative(path: &str) -> Result<(), &'static str> {
    if path.starts_with('/') { Err("a relative path is required") } else { Ok(()) }
}

fn main() {}
