#![no_main]

use ferroform_lang::body::{self, Body, Expression, Names};
use ferroform_lang::Span;
use libfuzzer_sys::fuzz_target;

fn walk(text: &str, body: &Body<'_>, names: &mut Names) {
    for it in &body.arguments {
        Span::of(text, it.value.at());
        it.value.references();
        if let Ok(value) = it.value.constant() {
            names.set(it.name, value);
        }
        let _ = it.value.evaluate(names);
    }
    for it in &body.blocks {
        Span::of(text, it.header.clone());
        walk(text, &it.body, names);
    }
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(body) = body::parse(&text) {
        walk(&text, &body, &mut Names::default());
    }
    if let Ok(it) = Expression::template(&text) {
        let _ = it.evaluate(&Names::default());
    }
});
