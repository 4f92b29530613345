#![no_main]

use cargo_ferroform::vars::SourceTexts;
use ferroform_fuzz::evaluate;
use ferroform_value::json;
use libfuzzer_sys::fuzz_target;

// A module in JSON and values in JSON, with a zero byte between them; the module's text also as the value of a
// variable that takes anything.
fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (module, values) = text.split_once('\0').unwrap_or((&text, "{}"));
    evaluate(&SourceTexts {
        module: vec![("main.tf.json".into(), module.into())],
        values: vec![("terraform.tfvars.json".into(), values.into())],
    });
    let it = evaluate(&SourceTexts {
        module: vec![("main.tf".into(), "variable \"a\" {}".into())],
        values: vec![("terraform.tfvars.json".into(), format!("{{\"a\":{module}}}"))],
    });
    // There are two readers of the language, and they make the same of it.
    if it.is_valid()
        && let [only] = &*it.variables
        && let Ok(value) = json::decode_simple(module.as_bytes())
    {
        assert_eq!(only.value().map(json::encode_simple), Some(json::encode_simple(&value)));
    }
});
