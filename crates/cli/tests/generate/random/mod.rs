//! Random OpenAPI documents: the generated code compiles.
//!
//! The number of a case determines all random choices of its document. The code of all cases is compiled as the modules of
//! one crate. `FERROFORM_CASES=from..to` selects other cases than the default ones:
//!
//! ```text
//! FERROFORM_CASES=1000..2000 cargo test -p cargo-ferroform --test generate random
//! ```

mod document;
#[path = "../../../../testing/tests/random_schemas/rng.rs"]
mod rng;

use std::fs;
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};

use self::document::document;
use crate::{check, generate_code, run};

/// The cases that the suite compiles. The compiler needs about three seconds of CPU time for ten of them.
const CASES: Range<u64> = 0..20;

/// The paths of the document for a complete crate.
const PATHS_OF_CRATE: u64 = 12;

fn cases() -> Range<u64> {
    let Ok(range) = std::env::var("FERROFORM_CASES") else { return CASES };
    let ends = range.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    ends.unwrap_or_else(|| panic!("FERROFORM_CASES is {range:?}; expected a range such as 0..1000"))
}

/// Writes a document, and returns its path.
fn write(directory: &Path, name: &str, document: &Value) -> String {
    let path = directory.join(name);
    fs::write(&path, document.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn random_modules_compile() {
    let directory = tempfile::tempdir().unwrap();
    let mut modules = String::new();
    let mut registrations = String::new();
    let source = directory.path().join("src");
    fs::create_dir(&source).unwrap();
    for number in cases() {
        let file = write(directory.path(), &format!("case_{number}.json"), &document(number, 1));
        fs::write(source.join(format!("case_{number}.rs")), generate_code(&file)).unwrap();
        modules.push_str(&format!("pub mod case_{number};\n"));
        registrations.push_str(&format!("        crate::case_{number}::register(registry);\n"));
    }
    // A generated crate contains the manifest and the function `not_implemented`.
    let formats = write(directory.path(), "formats.json", &document::with_all_formats());
    let out = directory.path().join("crate");
    let args = ["generate", "--from", "openapi", &formats, "--path", crate::WORKSPACE, "--out"];
    let output = run(&[&args[..], &[out.to_str().unwrap()]].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    let replace = |file: &str, before: &str, after: &str| {
        let path = out.join(file);
        let code = fs::read_to_string(&path).unwrap();
        assert_eq!(code.matches(before).count(), 1, "{code}");
        fs::write(path, code.replace(before, after)).unwrap();
    };
    replace("src/lib.rs", "mod provider;", &format!("{modules}mod provider;"));
    let start = "fn register(registry: &mut Registry<Self>) {\n";
    replace("src/provider.rs", start, &format!("{start}{registrations}"));
    for entry in fs::read_dir(&source).unwrap() {
        let path = entry.unwrap().path();
        fs::rename(&path, out.join("src").join(path.file_name().unwrap())).unwrap();
    }
    check(&out);
}

#[test]
fn random_crate_compiles() {
    let directory = tempfile::tempdir().unwrap();
    let file = write(directory.path(), "api.json", &document(cases().start, PATHS_OF_CRATE));
    let out = directory.path().join("crate");
    let args = ["generate", "--from", "openapi", &file, "--path", crate::WORKSPACE, "--out"];
    let output = run(&[&args[..], &[out.to_str().unwrap()]].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    check(&out);
}

#[test]
fn nested_alternatives_are_generated_in_bounded_time() {
    // Each schema refers to the next one several times, so there are 4^40 paths through them.
    for keyword in ["allOf", "oneOf", "anyOf"] {
        let schema = |level: usize| {
            let next = json!({ "$ref": format!("#/components/schemas/S{}", level + 1) });
            let property =
                json!({ "type": "object", "properties": { format!("p{level}"): { "type": "string" } } });
            json!({ keyword: [next, next, next, next, property] })
        };
        let mut schemas: serde_json::Map<String, Value> =
            (0..40).map(|level| (format!("S{level}"), schema(level))).collect();
        schemas.insert(
            "S40".to_owned(),
            json!({ "type": "object", "properties": { "last": { "type": "string" } } }),
        );
        let directory = tempfile::tempdir().unwrap();
        let file = write(directory.path(), "api.json", &document::with_schemas(schemas, "S0"));
        let code = generate_code(&file);
        assert!(code.contains("pub last: "), "{keyword}: {code}");
    }
}
