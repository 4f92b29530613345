//! What a derive refuses, and what rustc says of a provider that is wrong: one mistake a file, one error each.
//!
//! `TRYBUILD=overwrite cargo test -p ferroform --test ui` writes the texts anew.

#[test]
fn mistakes_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

/// The texts on file have one error each (besides rustc's closing line), so that nobody reads eight for one.
/// Only of a type that cannot be an attribute rustc speaks twice, of the same place: for the schema and for
/// the views.
#[test]
fn one_mistake_is_one_error() {
    for file in
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui")).expect("the folder is there")
    {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|it| it == "stderr") {
            let text = std::fs::read_to_string(&path).expect("a text");
            let errors: Vec<&str> = text.lines().filter(|it| it.starts_with("error")).collect();
            let most =
                if errors.iter().all(|it| it.contains("cannot be the type of an attribute")) { 2 } else { 1 };
            assert!((1..=most).contains(&errors.len()), "{}:\n{text}", path.display());
        }
    }
}
