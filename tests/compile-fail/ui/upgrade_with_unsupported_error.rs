use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct FileV0 {
    path: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = FileV0)]
struct File {
    path: String,
}

impl TryFrom<FileV0> for File {
    type Error = String;

    fn try_from(old: FileV0) -> Result<File, String> {
        Ok(File { path: old.path })
    }
}

fn main() {}
