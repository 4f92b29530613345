#![no_main]

use ferroform_fuzz::choose;
use ferroform_lang::{console, type_constraint};
use ferroform_value::{Typed, convert, json, msgpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((ty, data)) = choose(data) else { return };
    let Ok(value) = msgpack::decode(data, &ty) else { return };
    // Whole floats travel as their text from here on, so that only the second trip changes nothing.
    let bytes = msgpack::encode(&value, &ty).expect("what was read can be written");
    let again = msgpack::decode(&bytes, &ty).expect("what was written can be read");
    let bytes = msgpack::encode(&again, &ty).expect("what was read can be written");
    assert_eq!(msgpack::decode(&bytes, &ty).as_ref(), Ok(&again));
    let _ = json::encode(&value, &ty);
    let it = Typed::resolve(value, &ty).expect("what was read is of its type");
    console::show(&it);
    for to in ["list(any)", "set(string)", "map(any)", "object({a = optional(string), b = any})"] {
        let to = type_constraint::constraint(to).expect("a constraint");
        let _ = convert::convert(it.value.clone(), &it.ty, &to);
    }
});
