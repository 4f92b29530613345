#![no_main]

use ferroform_fuzz::select_type;
use ferroform_value::{json, msgpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((ty, data)) = select_type(data) else { return };
    let strict = json::decode_state(data, &ty, false);
    let Ok(value) = json::decode_state(data, &ty, true) else {
        assert!(strict.is_err());
        return;
    };
    msgpack::encode(&value, &ty).expect("a decoded value can be encoded");
    // Encoding fails if a string was converted to an infinite number.
    let _ = json::encode(&value, &ty);
});
