//! Compares the JSON Schema of random modules with their evaluation for random values.
//!
//! The evaluation rejects every file that the schema rejects. For types without `any` and without validations, the schema
//! also rejects every file that the evaluation rejects.

mod examples;
mod modules;
#[path = "../../../testing/tests/random_schemas/rng.rs"]
mod rng;
mod values;

use ferroform_vars::{SourceTexts, evaluate_sources, generate_schema_of_sources};
use serde_json::Value;

use self::modules::Module;
use self::rng::Rng;

/// Whether one variables file is accepted.
struct Accepted {
    by_schema: bool,
    by_evaluation: bool,
}

fn validator(module: &str) -> (String, jsonschema::Validator) {
    let texts = SourceTexts { module: vec![("main.tf".to_owned(), module.to_owned())], values: Vec::new() };
    let document =
        generate_schema_of_sources(&texts).unwrap_or_else(|e| panic!("{module}\n{}", e.diagnostics()));
    let schema: Value = serde_json::from_str(&document).expect("the schema is JSON");
    if let Err(e) = jsonschema::meta::validate(&schema) {
        panic!("{module}\n{document}\n{e}");
    }
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    (document, validator)
}

fn evaluation_accepts(module: &str, values: &Value) -> bool {
    let file = |name: &str, text: &str| vec![(name.to_owned(), text.to_owned())];
    let values = file("terraform.tfvars.json", &values.to_string());
    evaluate_sources(&SourceTexts { module: file("main.tf", module), values }).is_valid()
}

/// Checks a random module with random values.
fn check(rng: &mut Rng, module: &Module, count: usize, mut found: impl FnMut(Accepted, &str)) {
    let text = module.to_string();
    let (document, validator) = validator(&text);
    for _ in 0..count {
        let values = module.values(rng);
        let accepted = Accepted {
            by_schema: validator.is_valid(&values),
            by_evaluation: evaluation_accepts(&text, &values),
        };
        let case = format!("{text}\n{document}\n{values}");
        assert!(accepted.by_schema || !accepted.by_evaluation, "the schema rejects a valid file:\n{case}");
        found(accepted, &case);
    }
}

/// The number of random modules: `FERROFORM_SCHEMA_MODULES` in the environment, or a number for a few seconds.
fn modules(default: u64) -> u64 {
    std::env::var("FERROFORM_SCHEMA_MODULES").ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

#[test]
fn schema_accepts_every_valid_file() {
    let (mut rejected, mut missed, mut accepted) = (0, 0, 0);
    for seed in 0..modules(500) {
        let mut rng = Rng::new(seed);
        let module = Module::random(&mut rng, true);
        check(&mut rng, &module, 20, |file, _| match (file.by_schema, file.by_evaluation) {
            (false, _) => rejected += 1,
            (true, false) => missed += 1,
            (true, true) => accepted += 1,
        });
    }
    println!("rejected by both: {rejected}, by the evaluation only: {missed}, accepted: {accepted}");
    assert!(rejected > accepted / 4 && accepted > rejected / 4, "{rejected} {accepted}");
    assert!(missed < rejected, "{missed} {rejected}");
}

#[test]
fn schema_without_validations_accepts_only_valid_files() {
    let (mut rejected, mut accepted) = (0, 0);
    for seed in 0..modules(150) {
        let mut rng = Rng::new(seed);
        let module = Module::random(&mut rng, false);
        check(&mut rng, &module, 20, |file, case| {
            assert_eq!(file.by_schema, file.by_evaluation, "the schema and the evaluation differ:\n{case}");
            if file.by_schema { accepted += 1 } else { rejected += 1 }
        });
    }
    println!("rejected: {rejected}, accepted: {accepted}");
    assert!(rejected > accepted / 4 && accepted > rejected / 4, "{rejected} {accepted}");
}
