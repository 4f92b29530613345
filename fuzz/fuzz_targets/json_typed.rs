#![no_main]

use ferroform_fuzz::select_type;
use ferroform_value::json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((ty, data)) = select_type(data) else { return };
    let _ = json::implied_type(data);
    if let Ok(value) = json::decode_simple(data) {
        json::encode_simple(&value).expect("a decoded value can be encoded");
    }
    let Ok(value) = json::decode(data, &ty) else { return };
    let Ok(document) = json::encode(&value, &ty) else {
        // JSON has no infinity, but a string can convert to an infinite number.
        assert!(data.windows(3).any(|it| it.eq_ignore_ascii_case(b"inf")) || data.contains(&b'\\'));
        return;
    };
    assert_eq!(json::decode(&document, &ty), Ok(value));
});
