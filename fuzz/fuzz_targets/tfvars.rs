#![no_main]

use ferroform_lang::Span;
use ferroform_lang::body::{self, Body, Expression, Variables};
use libfuzzer_sys::fuzz_target;

fn walk(source: &str, body: &Body<'_>, names: &mut Variables) {
    for it in &body.arguments {
        Span::of(source, it.value.at());
        it.value.references();
        if let Ok(value) = it.value.constant() {
            names.set(it.name, value);
        }
        let _ = it.value.evaluate(names);
    }
    for it in &body.blocks {
        Span::of(source, it.header.clone());
        walk(source, &it.body, names);
    }
}

fuzz_target!(|data: &[u8]| {
    let source = String::from_utf8_lossy(data);
    if let Ok(body) = body::parse(&source) {
        walk(&source, &body, &mut Variables::default());
    }
    if let Ok(it) = Expression::template(&source) {
        let _ = it.evaluate(&Variables::default());
    }
});
