//! JSON documents in a string, compared by content.

use ferroform_value::Number;
use serde_json::Value as Json;

use super::scalars::{print, string_types};

string_types! {
    Json, "a JSON document", "null", parse, print, summary = "Invalid JSON String Value";
}

/// Parses a document that `serde_json` represents without loss. It would round numbers with more than 64 bits, and drop the
/// first of two members with the same name.
fn parse(json: &str) -> Result<Json, String> {
    let document = serde_json::from_str(json).map_err(|e: serde_json::Error| e.to_string())?;
    let colons: usize = outside_of_strings(json).map(|it| it.matches(':').count()).sum();
    if colons != members(&document) {
        return Err("an object has two members with the same name".into());
    }
    if numbers(json).all(is_representable) {
        Ok(document)
    } else {
        Err("a number has more digits than a 64-bit number can represent".into())
    }
}

/// The number of members of all objects of the document.
fn members(document: &Json) -> usize {
    match document {
        Json::Array(it) => it.iter().map(members).sum(),
        Json::Object(it) => it.len() + it.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// Returns true for an integer of 64 bits and for any decimal form of a float. Two libraries may print different shortest
/// forms of the same float, so both are accepted.
fn is_representable(number: &str) -> bool {
    let is_float = |exact: &Number| {
        let nearest = number.parse::<f64>().ok().filter(|it| it.is_finite());
        let forms = nearest.map(|it| [it.to_string(), Json::from(it).to_string()]);
        let mut numbers = forms.iter().flatten().filter_map(|it| Number::parse(it).ok());
        numbers.any(|it| it.compare(exact).is_eq())
    };
    Number::parse(number).is_ok_and(|it| it.to_i64().is_some() || it.to_u64().is_some() || is_float(&it))
}

/// The parts of a valid JSON document that are outside of strings.
fn outside_of_strings(json: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    let parts = json.split(move |c| {
        let quote = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        quote
    });
    parts.step_by(2)
}

/// The numbers of a valid JSON document.
fn numbers(json: &str) -> impl Iterator<Item = &str> {
    let is_number_character = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    outside_of_strings(json)
        .flat_map(move |it| it.split(move |c| !is_number_character(c)))
        .filter(|it| it.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_between_two_decimal_forms_is_accepted_in_either() {
        // The float is 1359760216152565.25.
        for json in ["1359760216152565.2", "1359760216152565.3"] {
            assert_eq!(parse(json), Ok(Json::from(5_439_040_864_610_261_f64 / 4.0)));
        }
        for json in ["1359760216152565.1", "1359760216152565.4", "1359760216152565.21"] {
            parse(json).unwrap_err();
        }
    }
}
