#![no_main]

use ferroform_vars::SourceTexts;
use ferroform_fuzz::evaluate;
use ferroform_value::json;
use libfuzzer_sys::fuzz_target;

// A module and variables in JSON, separated by a zero byte. The module is also used as the value of a variable of any
// type.
fuzz_target!(|data: &[u8]| {
    let input = String::from_utf8_lossy(data);
    let (module, values) = input.split_once('\0').unwrap_or((&input, "{}"));
    evaluate(&SourceTexts {
        module: vec![("main.tf.json".into(), module.into())],
        values: vec![("terraform.tfvars.json".into(), values.into())],
    });
    let it = evaluate(&SourceTexts {
        module: vec![("main.tf".into(), "variable \"a\" {}".into())],
        values: vec![("terraform.tfvars.json".into(), format!("{{\"a\":{module}}}"))],
    });
    // Both JSON parsers must return the same value.
    if it.is_valid()
        && let [only] = &*it.variables
        && let Ok(value) = json::decode_simple(module.as_bytes())
    {
        assert_eq!(only.value().map(json::encode_simple), Some(json::encode_simple(&value)));
    }
});
