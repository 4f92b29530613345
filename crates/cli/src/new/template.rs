//! The templates of the files. Their names end with `.in`, because Cargo packages no directory with a `Cargo.toml`.

/// Includes the template of each file.
macro_rules! templates {
    ($($path:literal: $file:literal,)*) => {
        &[$(($path, include_str!(concat!("template/", $file))),)*]
    };
}

/// The path and the template of each file.
pub(super) const TEMPLATES: &[(&str, &str)] = templates! {
    ".github/workflows/ci.yml": "workflows/ci.yml.in",
    ".github/workflows/release.yml": "workflows/release.yml.in",
    ".gitignore": "gitignore.in",
    "Cargo.toml": "Cargo.toml.in",
    "README.md": "README.md.in",
    "examples/data-sources/{{name}}_note/data-source.tf": "examples/data-source.tf.in",
    "examples/functions/slug/function.tf": "examples/function.tf.in",
    "examples/provider/provider.tf": "examples/provider.tf.in",
    "examples/quickstart/main.tf": "examples/quickstart.tf.in",
    "examples/resources/{{name}}_note/import.sh": "examples/import.sh.in",
    "examples/resources/{{name}}_note/resource.tf": "examples/resource.tf.in",
    "schemas.lock": "schemas.lock.in",
    "src/client.rs": "src/client.rs.in",
    "src/lib.rs": "src/lib.rs.in",
    "src/main.rs": "src/main.rs.in",
    "src/note.rs": "src/note.rs.in",
    "src/note_lookup.rs": "src/note_lookup.rs.in",
    "src/provider.rs": "src/provider.rs.in",
    "src/slug.rs": "src/slug.rs.in",
    "templates/index.md.tmpl": "templates/index.md.tmpl.in",
    "tests/acceptance.rs": "tests/acceptance.rs.in",
    "tests/provider.rs": "tests/provider.rs.in",
    "tests/schema_lock.rs": "tests/schema_lock.rs.in",
};
