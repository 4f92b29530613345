use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(validate = check_file)]
struct File {
    path: String,
}

fn check_file(file: &File) -> Result<(), &'static str> {
    if file.path.is_empty() { Err("a path is required") } else { Ok(()) }
}

fn main() {}
