#![no_main]

use ferroform_fuzz::choose;
use ferroform_value::json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((ty, data)) = choose(data) else { return };
    let _ = json::implied_type(data);
    if let Ok(value) = json::decode_simple(data) {
        json::encode_simple(&value).expect("what was read can be written");
    }
    let Ok(value) = json::decode(data, &ty) else { return };
    let Ok(text) = json::encode(&value, &ty) else {
        // There is no infinity in JSON, but a text that is taken for a number may be one.
        assert!(data.windows(3).any(|it| it.eq_ignore_ascii_case(b"inf")) || data.contains(&b'\\'));
        return;
    };
    assert_eq!(json::decode(&text, &ty), Ok(value));
});
