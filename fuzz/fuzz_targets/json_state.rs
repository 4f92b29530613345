#![no_main]

use ferroform_fuzz::choose;
use ferroform_value::{json, msgpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((ty, data)) = choose(data) else { return };
    let strict = json::decode_state(data, &ty, false);
    let Ok(value) = json::decode_state(data, &ty, true) else {
        assert!(strict.is_err());
        return;
    };
    msgpack::encode(&value, &ty).expect("what was read can be written");
    // Not where a text was taken for an infinite number.
    let _ = json::encode(&value, &ty);
});
