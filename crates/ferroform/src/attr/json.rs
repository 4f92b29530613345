//! JSON documents in a string. Two are equal when they have the same content, however they are laid out.

use ferroform_value::Number;
use serde_json::Value as Json;

use super::scalars::{print, texts};

texts! {
    Json, "a JSON document", "null", parse, print;
}

/// The document, where all of it survives: numbers past 64 bits would be rounded on the way in, and of two members
/// of one name the first would be gone.
fn parse(text: &str) -> Result<Json, String> {
    let document = serde_json::from_str(text).map_err(|e: serde_json::Error| e.to_string())?;
    let colons: usize = outside_of_strings(text).map(|it| it.matches(':').count()).sum();
    if colons != members(&document) {
        return Err("a name is there twice".into());
    }
    if numbers(text).all(survives) {
        Ok(document)
    } else {
        Err("a number has more digits than are kept".into())
    }
}

/// How many members the objects of the document have.
fn members(document: &Json) -> usize {
    match document {
        Json::Array(it) => it.iter().map(members).sum(),
        Json::Object(it) => it.len() + it.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// True for a whole number of 64 bits, and for the text of a float, whatever its form. Where two texts are as short and as
/// near, one library writes this and another that one.
fn survives(text: &str) -> bool {
    let is_float = |number: &Number| {
        let nearest = text.parse::<f64>().ok().filter(|it| it.is_finite());
        let texts = nearest.map(|it| [it.to_string(), Json::from(it).to_string()]);
        let mut numbers = texts.iter().flatten().filter_map(|it| Number::parse(it).ok());
        numbers.any(|it| it.compare(number).is_eq())
    };
    Number::parse(text).is_ok_and(|it| it.to_i64().is_some() || it.to_u64().is_some() || is_float(&it))
}

/// The parts of a text that is known to be JSON which are not in quotes.
fn outside_of_strings(text: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    let parts = text.split(move |c| {
        let quote = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        quote
    });
    parts.step_by(2)
}

/// The numbers of a text that is known to be JSON.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    outside_of_strings(text)
        .flat_map(move |it| it.split(move |c| !of_number(c)))
        .filter(|it| it.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_between_two_decimal_forms_is_accepted_in_either() {
        // The float is 1359760216152565.25.
        for text in ["1359760216152565.2", "1359760216152565.3"] {
            assert_eq!(parse(text), Ok(Json::from(5_439_040_864_610_261_f64 / 4.0)));
        }
        for text in ["1359760216152565.1", "1359760216152565.4", "1359760216152565.21"] {
            parse(text).unwrap_err();
        }
    }
}
