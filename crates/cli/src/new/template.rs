//! The templates of the files. Their names end with `.in`, because Cargo packages no directory with a `Cargo.toml`.

use clap::ValueEnum;
use clap::builder::PossibleValue;

/// Includes the template of each file.
macro_rules! templates {
    ($($path:literal: $file:literal,)*) => {
        &[$(($path, include_str!(concat!("template/", $file))),)*]
    };
}

/// What a project contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Template {
    Notes,
    Http,
    Empty,
}

impl ValueEnum for Template {
    fn value_variants<'a>() -> &'a [Template] {
        &[Template::Notes, Template::Http, Template::Empty]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Template::Notes => ("notes", "A resource, a data source and a function for notes in a directory"),
            Template::Http => ("http", "The same objects for an HTTP API, with a client and a mock server"),
            Template::Empty => ("empty", "No resource, data source or function"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// The path and the template of a file.
type File = (&'static str, &'static str);

impl Template {
    /// Returns the files of a project.
    pub(super) fn files(self) -> Vec<File> {
        let sets: &[&[File]] = match self {
            Template::Notes => &[COMMON, EXAMPLE_OBJECTS, NOTES],
            Template::Http => &[COMMON, EXAMPLE_OBJECTS, HTTP],
            Template::Empty => &[COMMON, EMPTY],
        };
        sets.concat()
    }

    /// Returns the dependencies of the project in addition to Ferroform.
    pub(super) fn dependencies(self) -> &'static str {
        match self {
            Template::Http => HTTP_DEPENDENCIES,
            Template::Notes | Template::Empty => "",
        }
    }

    /// Returns the features of the test kit.
    pub(super) fn testing_features(self) -> &'static [&'static str] {
        match self {
            Template::Http => &["mock"],
            Template::Notes | Template::Empty => &[],
        }
    }

    /// Returns the lines of `.gitignore` about the service.
    pub(super) fn ignored(self) -> &'static str {
        match self {
            Template::Notes => "/examples/quickstart/notes/\n",
            Template::Http | Template::Empty => "",
        }
    }

    /// Returns the part of the README about the service.
    pub(super) fn readme(self) -> &'static str {
        match self {
            Template::Notes => include_str!("template/README.notes.md.in"),
            Template::Http => include_str!("template/http/README.md.in"),
            Template::Empty => include_str!("template/empty/README.md.in"),
        }
    }
}

const HTTP_DEPENDENCIES: &str = "\
serde = { version = \"1\", default-features = false, features = [\"derive\", \"std\"] }
serde_json = { version = \"1\", default-features = false, features = [\"std\"] }
# Small and blocking: the methods of a provider may block.
ureq = { version = \"3\", default-features = false, features = [\"json\", \"rustls\"] }
";

const COMMON: &[File] = templates! {
    ".github/workflows/ci.yml": "workflows/ci.yml.in",
    ".github/workflows/release.yml": "workflows/release.yml.in",
    ".gitignore": "gitignore.in",
    "Cargo.toml": "Cargo.toml.in",
    "README.md": "README.md.in",
    "src/main.rs": "src/main.rs.in",
    "templates/index.md.tmpl": "templates/index.md.tmpl.in",
    "tests/schema_lock.rs": "tests/schema_lock.rs.in",
};

/// The resource, the data source and the function, without their service.
const EXAMPLE_OBJECTS: &[File] = templates! {
    "examples/data-sources/{{name}}_note/data-source.tf": "examples/data-source.tf.in",
    "examples/functions/slug/function.tf": "examples/function.tf.in",
    "examples/resources/{{name}}_note/import.sh": "examples/import.sh.in",
    "examples/resources/{{name}}_note/resource.tf": "examples/resource.tf.in",
    "schemas.lock": "schemas.lock.in",
    "src/lib.rs": "src/lib.rs.in",
    "src/note.rs": "src/note.rs.in",
    "src/note_lookup.rs": "src/note_lookup.rs.in",
    "src/slug.rs": "src/slug.rs.in",
};

const NOTES: &[File] = templates! {
    "examples/provider/provider.tf": "examples/provider.tf.in",
    "examples/quickstart/main.tf": "examples/quickstart.tf.in",
    "src/client.rs": "src/client.rs.in",
    "src/provider.rs": "src/provider.rs.in",
    "tests/acceptance.rs": "tests/acceptance.rs.in",
    "tests/provider.rs": "tests/provider.rs.in",
};

const HTTP: &[File] = templates! {
    "examples/provider/provider.tf": "http/provider.tf.in",
    "examples/quickstart/main.tf": "http/quickstart.tf.in",
    "examples/service.rs": "http/service.rs.in",
    "src/client.rs": "http/client.rs.in",
    "src/provider.rs": "http/provider.rs.in",
    "tests/acceptance.rs": "http/acceptance.rs.in",
    "tests/mock/mod.rs": "http/mock.rs.in",
    "tests/provider.rs": "http/provider_test.rs.in",
};

const EMPTY: &[File] = templates! {
    "examples/provider/provider.tf": "empty/provider.tf.in",
    "examples/quickstart/main.tf": "empty/quickstart.tf.in",
    "schemas.lock": "empty/schemas.lock.in",
    "src/client.rs": "empty/client.rs.in",
    "src/lib.rs": "empty/lib.rs.in",
    "src/provider.rs": "empty/provider.rs.in",
    "tests/acceptance.rs": "empty/acceptance.rs.in",
    "tests/provider.rs": "empty/provider_test.rs.in",
};
