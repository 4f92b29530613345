#![no_main]

use ferroform_fuzz::select_type;
use ferroform_lang::{console, type_constraint};
use ferroform_value::{Typed, convert, json, msgpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((ty, data)) = select_type(data) else { return };
    let Ok(value) = msgpack::decode(data, &ty) else { return };
    // The first encoding converts whole floats to decimal strings. The second round trip changes nothing.
    let bytes = msgpack::encode(&value, &ty).expect("a decoded value can be encoded");
    let decoded = msgpack::decode(&bytes, &ty).expect("an encoded value can be decoded");
    let bytes = msgpack::encode(&decoded, &ty).expect("a decoded value can be encoded");
    assert_eq!(msgpack::decode(&bytes, &ty).as_ref(), Ok(&decoded));
    let _ = json::encode(&value, &ty);
    let it = Typed::resolve(value, &ty).expect("a decoded value conforms to its type");
    console::show(&it);
    for to in ["list(any)", "set(string)", "map(any)", "object({a = optional(string), b = any})"] {
        let to = type_constraint::constraint(to).expect("a constraint");
        let _ = convert::convert(it.value.clone(), &it.ty, &to);
    }
});
