//! JSON documents in a string. Two are equal when they have the same content, however they are laid out.

use ferroform_value::Number;
use serde_json::Value as Json;

use super::scalars::{print, texts};

texts! {
    Json, "a JSON document", parse, print;
}

/// The document, where its numbers survive: past 64 bits they would be rounded on the way in.
fn parse(text: &str) -> Result<Json, String> {
    let document = serde_json::from_str(text).map_err(|e| e.to_string())?;
    match numbers(text).find(|it| !survives(it)) {
        Some(it) => Err(format!("the number {it} has more digits than are kept")),
        None => Ok(document),
    }
}

fn survives(text: &str) -> bool {
    Number::parse(text)
        .is_ok_and(|it| it.to_i64().is_some() || it.to_u64().is_some() || it.as_f64().is_some())
}

/// The numbers of a text that is known to be JSON: what stands outside of strings and looks like one.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    let outside = text.split(move |c| {
        let quote = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        quote
    });
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    outside
        .step_by(2)
        .flat_map(move |it| it.split(move |c| !of_number(c)))
        .filter(|it| it.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}
