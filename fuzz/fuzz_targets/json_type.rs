#![no_main]

use ferroform_lang::{console, type_constraint};
use ferroform_value::json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(ty) = json::type_from_slice(data) else { return };
    let document = json::type_to_string(&ty);
    assert_eq!(json::type_from_slice(document.as_bytes()).as_ref(), Ok(&ty));
    console::show_type(&ty);
    // Deeply nested types and unusual attribute names have no type expression.
    if let Ok(read) = type_constraint::constraint(&type_constraint::print(&ty)) {
        assert_eq!(read, ty.without_optional());
    }
});
