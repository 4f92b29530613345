//! Candidates for the values of a type: typical values, boundary values, and secrets.

use std::sync::Arc;

use ferroform::validators::Hint;
use ferroform::value::{Number, Type, Value};

use super::pattern;
use crate::Invariant;

/// The keys of maps.
pub(super) const KEYS: [&str; 5] = ["k", "l", "m", "n", "o"];

/// The candidates for a value of a type.
pub(super) struct Candidates {
    pub(super) typical: Vec<Value>,
    pub(super) boundary: Vec<(Value, Invariant)>,
}

/// Two strings of each format that validators and services often require.
const FORMATS: &[&str] = &[
    "example",
    "1",
    "2",
    "https://example.com/a",
    "https://example.com/b",
    "a@example.com",
    "b@example.com",
    "a.example.com",
    "b.example.com",
    "10.0.0.1",
    "10.0.0.2",
    "10.0.0.0/16",
    "10.1.0.0/16",
    "2001:db8::1",
    "2001:db8::2",
    "2001:db8::/32",
    "00:00:5e:00:53:01",
    "00:00:5e:00:53:02",
    "1h30m",
    "30s",
    "2025-01-31T10:00:00Z",
    "2025-02-28T10:00:00Z",
    "2025-01-31",
    "2025-02-28",
    "10:00",
    "11:00",
    "0644",
    "0600",
    "{\"a\":1}",
    "{\"b\":2}",
    "aGVsbG8=",
    "d29ybGQ=",
    "123e4567-e89b-12d3-a456-426614174000",
    "123e4567-e89b-12d3-a456-426614174001",
    "1.2.3",
    "1.2.4",
    "true",
    "false",
    "eu-north-1",
    "eu-west-1",
    "123456789012",
    "210987654321",
    "#ff0000",
    "#00ff00",
    "0 0 * * *",
    "1 0 * * *",
    "ABCD1234",
    "abcdefgh-12345678",
    "abcdefgh-12345678-abcdefgh-12345678",
];

/// Strings that providers and services change by mistake, the most common mistakes first.
const BOUNDARY_STRINGS: &[&str] = &[
    "",
    "say \"hi\" \\ 'x'",
    "${a} %{b} $${c}",
    "two\nlines\r\n",
    "\u{1}\t\u{7f}",
    "😀 e\u{301} ß 漢字",
    "null",
    "01",
    "1.0",
    "a/b?c#d&e=f",
    "%61+%2f",
    "<a href='x'>&amp;</a>",
];

/// Strings that a service may normalize.
const NORMALIZED_STRINGS: &[&str] = &["Mixed Case", " a ", "a  b", "a.", "a/", "İstanbul"];

/// The length of a very long string.
const LONG: usize = 70_000;

/// Boundary values of the common integer types, and numbers that `f64` cannot represent exactly.
const BOUNDARY_NUMBERS: &[&str] = &[
    "9007199254740993",
    "0.1",
    "0",
    "9223372036854775807",
    "0.1234567890123456789",
    "-1",
    "2147483648",
    "1e308",
    "18446744073709551615",
    "123456789012345678901234567890",
    "1.5",
    "255",
    "256",
    "65536",
    "2147483647",
    "4294967296",
    "9007199254740991",
    "9223372036854775808",
    "18446744073709551616",
    "0.30000000000000004",
    "-0.000001",
];

const TYPICAL_NUMBERS: &[u32] =
    &[1, 2, 3, 4, 5, 8, 10, 16, 20, 30, 60, 100, 443, 1024, 8080, 3600, 100_000, 0];

/// Strings and numbers that some types treat as equal.
const EQUAL_STRINGS: &[(&str, &str)] = &[
    ("a", "A"),
    ("1h30m", "90m"),
    ("30s", "30000ms"),
    ("2025-01-31T10:00:00Z", "2025-01-31T11:00:00+01:00"),
    ("2001:db8::1", "2001:DB8::1"),
    ("00:00:5e:00:53:01", "00-00-5E-00-53-01"),
    ("{\"a\":1}", "{ \"a\": 1 }"),
    ("https://example.com/a", "HTTPS://example.com/a"),
    ("123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"),
];
const EQUAL_NUMBERS: (&str, &str) = ("0.1234567890123456789", "0.12345678901234568");

/// A string that some Rust types treat as equal, or the string itself if there is none.
pub(super) fn equal_string(string: &str) -> &str {
    EQUAL_STRINGS.iter().find(|(it, _)| *it == string).map_or(string, |(_, other)| other)
}

/// Pairs of values that some Rust types treat as equal.
pub(super) fn equal_forms(ty: &Type) -> Vec<(Value, Value)> {
    match ty {
        Type::String => EQUAL_STRINGS.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect(),
        Type::Number => {
            let [a, b] = [EQUAL_NUMBERS.0, EQUAL_NUMBERS.1].map(|it| Number::parse(it).ok());
            a.zip(b).map(|(a, b)| (Value::Number(a), Value::Number(b))).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

impl Candidates {
    /// The candidates for a type. `secret` is the name of a sensitive attribute, whose strings must occur nowhere else.
    pub(super) fn of(ty: &Type, hints: &[Hint], secret: Option<&str>) -> Candidates {
        match ty {
            Type::Bool => Candidates::typical(vec![false.into(), true.into()]),
            Type::Number => Candidates::numbers(hints),
            Type::String => Candidates::strings(hints, secret),
            Type::Dynamic => {
                let string = secret.map_or("a".to_owned(), |name| secret_string(name, 1));
                Candidates::typical(vec![
                    Value::dynamic(Type::String, string.as_str().into()),
                    Value::dynamic(Type::Number, 1.into()),
                    Value::dynamic(Type::Bool, true.into()),
                    Value::dynamic(Type::tuple([Type::String]), Value::Tuple(vec![string.as_str().into()])),
                    Value::dynamic(
                        Type::object([("k", Type::String)]),
                        Value::object([("k", string.as_str().into())]),
                    ),
                ])
            }
            Type::List(element) => Candidates::of(element, hints, secret).collections(Value::List),
            Type::Set(element) => Candidates::of(element, hints, secret).collections(Value::set),
            Type::Map(element) => Candidates::of(element, hints, secret).maps(hints),
            Type::Object(object) => {
                let attributes = object.attributes().iter();
                let inside =
                    attributes.map(|it| (it.name.clone(), Candidates::of(&it.ty, hints, secret))).collect();
                Candidates::products(inside, &|values| Value::object(values))
            }
            Type::Tuple(types) => {
                let inside = types.iter().enumerate();
                let inside =
                    inside.map(|(i, ty)| (i.to_string().into(), Candidates::of(ty, hints, secret))).collect();
                Candidates::products(inside, &|values| {
                    Value::Tuple(values.into_iter().map(|(_, it)| it).collect())
                })
            }
        }
    }

    fn typical(typical: Vec<Value>) -> Candidates {
        Candidates { typical, boundary: Vec::new() }
    }

    fn numbers(hints: &[Hint]) -> Candidates {
        let hinted = hints.iter().filter_map(|it| match it {
            Hint::Value(it @ Value::Number(_)) => Some(it.clone()),
            _ => None,
        });
        let typical =
            hinted.chain(TYPICAL_NUMBERS.iter().map(|it| Value::Number(Number::from(*it)))).collect();
        let boundary = BOUNDARY_NUMBERS.iter().filter_map(|it| Number::parse(it).ok());
        Candidates {
            typical,
            boundary: boundary.map(|it| (Value::Number(it), Invariant::BoundaryValuesRoundTrip)).collect(),
        }
    }

    fn strings(hints: &[Hint], secret: Option<&str>) -> Candidates {
        let hinted: Vec<Value> = hinted_strings(hints).map(|it| it.as_str().into()).collect();
        if let Some(name) = secret {
            let secrets = (1..=3).map(|number| Value::string(secret_string(name, number)));
            let formats = FORMATS.iter().map(Value::string);
            let boundary = BOUNDARY_STRINGS
                .iter()
                .map(|it| (Value::string(secret_string(name, 4) + it), Invariant::BoundaryValuesRoundTrip));
            return Candidates {
                typical: secrets.chain(hinted).chain(formats).collect(),
                boundary: boundary.collect(),
            };
        }
        let simple = ["a", "b", "c"].into_iter().chain(FORMATS.iter().copied()).map(Value::string);
        let long = "x".repeat(LONG);
        let boundary = BOUNDARY_STRINGS.iter().copied().chain([long.as_str()]);
        let mut boundary = boundary.map(|it| (Value::string(it), Invariant::BoundaryValuesRoundTrip));
        let normalized = NORMALIZED_STRINGS.iter();
        let mut normalized =
            normalized.map(|it| (Value::string(it), Invariant::NormalizedValuesAreConsistent));
        let mut alternating = Vec::new();
        loop {
            let before = alternating.len();
            alternating.extend(normalized.next());
            alternating.extend(boundary.next());
            if alternating.len() == before {
                break;
            }
        }
        Candidates { typical: hinted.into_iter().chain(simple).collect(), boundary: alternating }
    }

    /// The candidates for collections of these elements.
    fn collections(self, collect: impl Fn(Vec<Value>) -> Value + Copy) -> Candidates {
        let mut typical: Vec<Value> = windows(&self.typical).map(collect).collect();
        if !typical.is_empty() {
            typical.insert(1, collect(increasing(&self.typical, 5)));
        }
        let [first, second] = [0, 1].map(|i| self.typical.get(i).cloned());
        let mut boundary = vec![(collect(Vec::new()), Invariant::BoundaryValuesRoundTrip)];
        if let (Some(first), Some(second)) = (first, second) {
            let ordered = |all: Vec<Value>| (collect(all), Invariant::NormalizedValuesAreConsistent);
            boundary.push(ordered(vec![second.clone(), first.clone()]));
            boundary.push(ordered(vec![first.clone(), second, first]));
            boundary.push(ordered(self.typical.iter().take(8).rev().cloned().collect()));
        }
        boundary.push((
            collect(self.typical.iter().take(40).cloned().collect()),
            Invariant::BoundaryValuesRoundTrip,
        ));
        boundary.extend(self.boundary.into_iter().map(|(it, invariant)| (collect(vec![it]), invariant)));
        Candidates { typical, boundary }
    }

    /// The candidates for maps of these values.
    fn maps(self, hints: &[Hint]) -> Candidates {
        let keys: Vec<String> =
            hinted_strings(hints).chain(KEYS.map(str::to_owned)).take(KEYS.len()).collect();
        let map = |values: Vec<Value>| Value::map(keys.iter().map(String::as_str).zip(values));
        let mut typical: Vec<Value> = windows(&self.typical).map(map).collect();
        typical.extend(windows(&self.typical).map(|it| Value::map(KEYS.into_iter().zip(it))));
        let mut boundary = vec![(Value::map::<&str>([]), Invariant::BoundaryValuesRoundTrip)];
        if let Some(value) = self.typical.first() {
            for key in ["Mixed Case", "a.b/c", "é", ""] {
                boundary.push((Value::map([(key, value.clone())]), Invariant::NormalizedValuesAreConsistent));
            }
            let many = (0..40).map(|i| (format!("k{i}"), value.clone()));
            boundary.push((Value::map(many), Invariant::BoundaryValuesRoundTrip));
        }
        boundary
            .extend(self.boundary.into_iter().map(|(it, invariant)| (Value::map([("k", it)]), invariant)));
        Candidates { typical, boundary }
    }

    /// The candidates for objects or tuples of these values: the first value of each, and those that differ in one of them.
    fn products(
        inside: Vec<(Arc<str>, Candidates)>,
        build: &dyn Fn(Vec<(Arc<str>, Value)>) -> Value,
    ) -> Candidates {
        let first = |candidates: &Candidates| candidates.typical.first().cloned().unwrap_or(Value::Null);
        let with = |changed: usize, value: Value| {
            let values = inside.iter().enumerate().map(|(i, (name, candidates))| {
                (name.clone(), if i == changed { value.clone() } else { first(candidates) })
            });
            build(values.collect())
        };
        let mut typical = vec![with(usize::MAX, Value::Null)];
        let mut boundary = Vec::new();
        for (at, (_, candidates)) in inside.iter().enumerate() {
            typical.extend(candidates.typical.iter().skip(1).take(2).map(|it| with(at, it.clone())));
            boundary
                .extend(candidates.boundary.iter().map(|(it, invariant)| (with(at, it.clone()), *invariant)));
        }
        Candidates { typical, boundary }
    }
}

/// Sequences of one to five different values, ordered by their last value, so that sequences of each length are among the first.
fn windows(values: &[Value]) -> impl Iterator<Item = Vec<Value>> {
    let ranges = (1..=values.len()).flat_map(|end| (end.saturating_sub(5)..end).map(move |start| start..end));
    ranges.map(|it| values[it].to_vec())
}

/// Several values. Strings are sorted, because a service that sorts them is found with boundary values.
fn increasing(values: &[Value], count: usize) -> Vec<Value> {
    let mut increasing: Vec<Value> = Vec::new();
    for value in values {
        let last = increasing.last().and_then(Value::as_str);
        if increasing.len() < count && last.is_none_or(|last| value.as_str().is_some_and(|it| it > last)) {
            increasing.push(value.clone());
        }
    }
    increasing
}

fn hinted_strings(hints: &[Hint]) -> impl Iterator<Item = String> {
    hints.iter().flat_map(|it| match it {
        Hint::Value(it) => it.as_str().map(str::to_owned).into_iter().collect(),
        Hint::Pattern(it) => pattern::matching(it),
        _ => Vec::new(),
    })
}

/// The start of each secret.
const SECRET: &str = "s3cr3t";

/// A string that occurs nowhere but in the sensitive attribute. The second one changes in most encodings.
fn secret_string(name: &str, number: usize) -> String {
    match number {
        2 => format!("{SECRET} {name} \"2\" <&> ü"),
        number => format!("{SECRET}-{name}-{number}"),
    }
}

/// True if the string is a generated secret.
pub(super) fn is_secret(string: &str) -> bool {
    string.starts_with(SECRET)
}

/// True if all strings in the value are secrets.
pub(super) fn has_only_secrets(value: &Value) -> bool {
    let mut found = true;
    value.walk(&mut |_, it| {
        found &= it.as_str().is_none_or(is_secret);
        found
    });
    found
}
