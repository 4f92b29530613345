//! Properties of every value: encodings round-trip, sets have no order, and conversions return the requested type.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use ferroform_value::convert::{Availability, Mode, availability, convert};
use ferroform_value::{Number, Refinements, Set, Type, Typed, Unified, Value, json, msgpack, unify};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u128>().prop_map(Number::from),
        any::<f64>().prop_filter_map("a number", |it| Number::from_f64(it).filter(|it| !it.is_infinite())),
        "-?[0-9]{1,30}\\.[0-9]{1,30}(e-?[0-9]{1,2})?".prop_map(|it| it.parse().unwrap()),
    ]
}

/// A number that an encoding can represent: whole floats are encoded as decimal strings, which is not always their value, and
/// fractions that a float represents exactly are encoded as floats.
fn encodable_number() -> impl Strategy<Value = Number> {
    number().prop_map(|it| {
        let it: Number = it.to_string().parse().unwrap();
        let float = it.to_f64_exact().filter(|_| !it.is_integer());
        float.and_then(Number::from_f64).unwrap_or(it)
    })
}

/// Negative zero is encoded as zero, so a set can have fewer elements after decoding.
fn has_negative_zero(it: &Value) -> bool {
    let mut found = false;
    it.walk(&mut |_, it| {
        found |= matches!(it, Value::Number(it) if it.is_negative_zero());
        !found
    });
    found
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::Bool), Just(Type::Number), Just(Type::String), Just(Type::Dynamic)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        // The elements of a collection of `any` must have one type, which random elements do not have.
        let element = inner.clone().prop_filter("no any", |it| !it.has_dynamic());
        prop_oneof![
            element.clone().prop_map(Type::list),
            element.clone().prop_map(Type::set),
            element.prop_map(Type::map),
            vec(inner.clone(), 0..3).prop_map(Type::tuple),
            btree_map("[a-e]", inner, 0..3).prop_map(Type::object),
        ]
    })
}

/// A type to which the type is likely to convert.
fn convertible(ty: &Type) -> BoxedStrategy<Type> {
    let elements = |it: &[Type]| it.iter().map(convertible).collect::<Vec<_>>();
    let any_element = |it: Option<&Type>| it.map_or(Just(Type::String).boxed(), convertible);
    let sequences = |element: BoxedStrategy<Type>| {
        prop_oneof![element.clone().prop_map(Type::list), element.prop_map(Type::set)].boxed()
    };
    let other = match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => {
            prop::sample::select(&[Type::Bool, Type::Number, Type::String][..]).boxed()
        }
        Type::List(it) | Type::Set(it) => sequences(convertible(it)),
        Type::Map(it) => convertible(it).prop_map(Type::map).boxed(),
        Type::Tuple(it) => {
            prop_oneof![elements(it).prop_map(Type::tuple), sequences(any_element(it.first()))].boxed()
        }
        Type::Object(it) => {
            let attributes = it
                .attributes()
                .iter()
                .map(|it| (Just(it.name.clone()), prop::option::weighted(0.8, convertible(&it.ty))));
            let kept = attributes
                .collect::<Vec<_>>()
                .prop_map(|it| Type::object(it.into_iter().filter_map(|(name, ty)| Some((name, ty?)))));
            let first = it.attributes().first().map(|it| &it.ty);
            prop_oneof![kept, any_element(first).prop_map(Type::map)].boxed()
        }
    };
    prop_oneof![4 => other, 2 => Just(ty.clone()), 1 => Just(Type::Dynamic)].boxed()
}

fn value(ty: &Type, known: bool) -> BoxedStrategy<Value> {
    let concrete = match ty {
        Type::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Type::Number => encodable_number().prop_map(Value::Number).boxed(),
        Type::String => any::<String>().prop_map(Value::string).boxed(),
        Type::List(it) => vec(value(it, known), 0..4).prop_map(Value::List).boxed(),
        Type::Set(it) => vec(value(it, known), 0..4).prop_map(Value::set).boxed(),
        Type::Map(it) => btree_map("[a-z]{0,3}", value(it, known), 0..4).prop_map(Value::map).boxed(),
        Type::Tuple(it) => {
            it.iter().map(|it| value(it, known)).collect::<Vec<_>>().prop_map(Value::Tuple).boxed()
        }
        Type::Object(it) => {
            let attributes = it.attributes().iter().map(|it| (Just(it.name.clone()), value(&it.ty, known)));
            attributes.collect::<Vec<_>>().prop_map(Value::object).boxed()
        }
        Type::Dynamic => {
            let ty = prop_oneof![Just(Type::String), Just(Type::list(Type::Number))];
            ty.prop_flat_map(move |ty| value(&ty, known).prop_map(move |it| Value::dynamic(ty.clone(), it)))
                .boxed()
        }
    };
    let is_string = *ty == Type::String;
    let unknown = (any::<bool>(), "[a-z]{0,4}").prop_map(move |(not_null, prefix)| {
        let prefix = (is_string && !prefix.is_empty()).then_some(prefix);
        let known = Refinements::new().with_prefix(prefix.unwrap_or_default());
        Value::unknown(if not_null { known.not_null() } else { known })
    });
    match (known, ty) {
        (true, _) => prop_oneof![8 => concrete, 1 => Just(Value::Null)].boxed(),
        (false, Type::Dynamic) => {
            prop_oneof![8 => concrete, 1 => Just(Value::Null), 1 => Just(Value::UNKNOWN)].boxed()
        }
        (false, _) => prop_oneof![8 => concrete, 1 => Just(Value::Null), 1 => unknown].boxed(),
    }
}

fn typed(known: bool) -> impl Strategy<Value = (Type, Value)> {
    ty().prop_flat_map(move |ty| value(&ty, known).prop_map(move |it| (ty.clone(), it)))
}

fn hash(it: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    it.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #[test]
    fn msgpack_round_trips((ty, value) in typed(false)) {
        prop_assume!(!has_negative_zero(&value));
        let bytes = msgpack::encode(&value, &ty).unwrap();
        prop_assert_eq!(msgpack::decode(&bytes, &ty).unwrap(), value);
    }

    #[test]
    fn json_round_trips((ty, value) in typed(true)) {
        let document = json::encode(&value, &ty).unwrap();
        prop_assert_eq!(json::decode(&document, &ty).unwrap(), value.clone());
        prop_assert_eq!(json::decode_state(&document, &ty, false).unwrap(), value);
    }

    /// Simple JSON loses only the types.
    #[test]
    fn simple_json_round_trips_with_conversion((ty, value) in typed(true)) {
        prop_assume!(!ty.has_dynamic());
        let document = json::encode_simple(&value).unwrap();
        let read = Typed::resolve(json::decode_simple(&document).unwrap(), &Type::Dynamic).unwrap();
        prop_assert_eq!(convert(read.value, &read.ty, &ty).unwrap(), Typed::new(ty, value));
    }

    #[test]
    fn type_syntax_round_trips(ty in ty()) {
        prop_assert_eq!(ty.to_string().parse::<Type>().unwrap(), ty);
    }

    #[test]
    fn types_in_json_round_trip(ty in ty()) {
        prop_assert_eq!(json::type_from_slice(json::type_to_string(&ty).as_bytes()).unwrap(), ty);
    }

    #[test]
    fn sets_have_no_order(elements in vec(value(&Type::list(Type::Number), true), 0..8), turn in 0usize..8) {
        let mut turned = elements.clone();
        turned.rotate_left(turn.min(elements.len()));
        turned.extend(elements.first().cloned());
        let (a, b) = (Value::set(elements), Value::set(turned));
        prop_assert_eq!(hash(&a), hash(&b));
        prop_assert_eq!(a, b);
    }

    #[test]
    fn common_elements_are_in_neither_difference(
        a in vec(value(&Type::tuple([Type::Number, Type::Bool]), true), 0..8),
        b in vec(value(&Type::tuple([Type::Number, Type::Bool]), true), 0..8),
    ) {
        let plain: Vec<Value> = a.iter().filter(|it| !b.contains(it)).cloned().collect();
        let (Value::Set(a), Value::Set(b)) = (Value::set(a), Value::set(b)) else { unreachable!() };
        prop_assert_eq!(Set::from_iter(a.difference(&b).into_iter().cloned()), Set::from_iter(plain));
        let twice = Set::with_duplicates(a.iter().chain(a.iter()).cloned().collect());
        prop_assert!(twice.duplicates().len() >= a.len());
    }

    #[test]
    fn order_and_duplicates_do_not_matter(
        elements in vec(value(&Type::object([("a", Type::Number), ("b", Type::String)]), true), 0..8)
            .prop_flat_map(|it| { let all = [it.clone(), it.clone()].concat(); (Just(it), Just(all).prop_shuffle()) })
    ) {
        let (deduplicated, shuffled) = elements;
        let ty = Type::set(Type::object([("a", Type::Number), ("b", Type::String)]));
        let (a, b) = (Value::set(deduplicated), Value::set(shuffled.clone()));
        prop_assert_eq!(&a, &b);
        prop_assert_eq!(hash(&a), hash(&b));
        // Elements whose string forms are equal have no fixed order.
        let elements = |it: &Value| {
            let Value::Set(it) = it else { unreachable!("both are sets") };
            let mut it: Vec<_> = it.sorted().iter().map(|it| format!("{it:?}")).collect();
            it.sort();
            it
        };
        prop_assert_eq!(elements(&a), elements(&b));
        // Decoding can change the value; see `has_negative_zero`.
        let round_trip = |it: &Value| msgpack::decode(&msgpack::encode(it, &ty).unwrap(), &ty).unwrap();
        prop_assert_eq!(round_trip(&b), round_trip(&a));
        let list = Type::list(Type::object([("a", Type::Number), ("b", Type::String)]));
        prop_assert_eq!(convert(Value::List(shuffled), &list, &ty).unwrap().value, a);
    }

    #[test]
    fn equal_numbers_have_equal_hashes(it in number()) {
        let read: Number = it.to_string().parse().unwrap();
        if read == it {
            prop_assert_eq!(hash(&read), hash(&it));
        }
        prop_assert_eq!(it.to_string(), it.clone().to_string());
        prop_assert!(it.compare(&read).is_eq() || it.as_f64().is_some());
    }

    #[test]
    fn floats_round_trip(it in any::<f64>()) {
        if let Some(number) = Number::from_f64(it) {
            prop_assert_eq!(number.to_f64().to_bits(), it.to_bits());
            prop_assert_eq!(number.to_f64_exact(), Some(it));
            prop_assert_eq!(number.as_f64(), Some(it));
        }
    }

    #[test]
    fn nearest_float_is_that_of_the_standard_library(decimal in "[0-9]{1,25}(\\.[0-9]{1,25})?(e-?[0-9]{1,3})?") {
        let number: Number = decimal.parse().unwrap();
        prop_assert_eq!(number.to_f64(), decimal.parse::<f64>().unwrap());
        prop_assert_eq!(number.to_f32(), decimal.parse::<f32>().unwrap());
    }

    #[test]
    fn number_with_exponent_is_equal_to_number_without(whole in any::<u32>(), shift in 0u32..24, zeros in "0{0,4}", negative in any::<bool>()) {
        let it = f64::from(whole) / f64::from(1 << shift);
        let decimal = format!("{}{it:?}{zeros}", if negative { "-" } else { "" });
        let (read, with): (Number, Number) = (decimal.parse().unwrap(), format!("{decimal}e0").parse().unwrap());
        prop_assert_eq!(&read, &with);
        prop_assert!(read.compare(&with).is_eq());
        prop_assert_eq!(read.is_negative_zero(), with.is_negative_zero());
        prop_assert_eq!((hash(&read), read.to_string()), (hash(&with), with.to_string()));
    }

    #[test]
    fn integers_round_trip(it in any::<i128>()) {
        prop_assert_eq!(Number::from(it).to_i128(), Some(it));
        prop_assert_eq!(Number::from(it).to_string(), it.to_string());
        prop_assert_eq!(it.to_string().parse::<Number>().unwrap(), Number::from(it));
        prop_assert_eq!(Number::from(it).to_u64(), u64::try_from(it).ok());
    }

    #[test]
    fn any_bytes_are_decoded_or_rejected(ty in ty(), bytes in vec(any::<u8>(), 0..64)) {
        let _ = msgpack::decode(&bytes, &ty);
        let _ = json::decode(&bytes, &ty);
        let _ = json::type_from_slice(&bytes);
    }

    #[test]
    fn damaged_values_are_decoded_or_rejected(
        (ty, value) in typed(false), at in any::<prop::sample::Index>(), byte in any::<u8>()
    ) {
        let mut bytes = msgpack::encode(&value, &ty).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = msgpack::decode(&bytes, &ty) {
            msgpack::encode(&read, &ty).unwrap();
        }
    }

    #[test]
    fn every_type_converts_to_the_unified_type(types in vec(ty(), 1..4), safe in any::<bool>()) {
        let mode = if safe { Mode::Safe } else { Mode::Unsafe };
        if let Some(Unified { ty: common, converts }) = unify(&types, mode) {
            for (ty, converts) in types.iter().zip(converts) {
                let available = availability(ty, &common);
                prop_assert!(matches!(available, Availability::Identity | Availability::Safe)
                    || !safe && available == Availability::Unsafe, "{ty} to {common}: {available:?}");
                prop_assert!(converts || available == Availability::Identity);
            }
        }
    }

    /// The result has the requested type, or the conversion fails. A safe conversion does not fail.
    #[test]
    fn converted_value_is_of_the_requested_type(
        ((from, value), to) in typed(false).prop_flat_map(|it| { let to = convertible(&it.0); (Just(it), to) })
    ) {
        let available = availability(&from, &to);
        match convert(value, &from, &to) {
            Ok(it) => {
                prop_assert!(it.ty.conforms_to(&to) , "{} is no {to}", it.ty);
                msgpack::encode(&it.value, &it.ty).unwrap();
                let converted_again = convert(it.value.clone(), &it.ty, &to).unwrap();
                prop_assert_eq!(converted_again, it);
            }
            // A dynamic type is resolved by the value. The result for an empty list can differ from that of other
            // elements.
            Err(e) => prop_assert!(
                from.has_dynamic() || to.has_dynamic() || !matches!(available, Availability::Identity | Availability::Safe),
                "{e}"
            ),
        }
    }
}

/// Both unified types convert to a third type, but one of the two does not convert to the other.
#[test]
fn unified_type_of_any_has_one_type_for_each_element() {
    let types =
        [Type::tuple([Type::Bool]), Type::tuple([Type::Number, Type::Dynamic]), Type::list(Type::Bool)];
    assert_eq!(unify(&types, Mode::Unsafe), None);
}
