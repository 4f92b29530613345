use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct FileV0 {
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = -1, upgrade_from = FileV0)]
struct File {
    path: String,
}

impl From<FileV0> for File {
    fn from(old: FileV0) -> File {
        File { path: old.path }
    }
}

fn main() {}
