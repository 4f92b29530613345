//! Functions of texts, for conditions.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use unicode_segmentation::UnicodeSegmentation;

use super::functions::{Made, argument, null, string};
use crate::{Type, Typed, Value};

/// How many arguments the function takes; none where there is no such function here.
pub(super) fn arity(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "trimspace" | "strrev" | "cidrnetmask" => (1, 1),
        "startswith" | "endswith" | "strcontains" | "trim" | "trimprefix" | "trimsuffix" | "split"
        | "cidrhost" => (2, 2),
        "regex" | "regexall" if cfg!(feature = "regex") => (2, 2),
        "replace" | "substr" => (3, 3),
        "join" => (2, usize::MAX),
        _ => return None,
    })
}

/// `None` where it is not certain that the program would say the same.
pub(super) fn apply(name: &str, args: Vec<Typed>) -> Option<Made> {
    let mut given = args.into_iter();
    let it = match name {
        "startswith" => two(&mut given, |it, part| bool(it.starts_with(part))),
        "endswith" => two(&mut given, |it, part| bool(it.ends_with(part))),
        "strcontains" => two(&mut given, |it, part| bool(it.contains(part))),
        "trim" => two(&mut given, |it, set| text(it.trim_matches(|it| set.contains(it)))),
        "trimprefix" => two(&mut given, |it, part| text(it.strip_prefix(part).unwrap_or(it))),
        "trimsuffix" => two(&mut given, |it, part| text(it.strip_suffix(part).unwrap_or(it))),
        "trimspace" => string(&mut given, 0).map(|it| text(it.trim())),
        "strrev" => string(&mut given, 0).map(|it| text(it.graphemes(true).rev().collect::<String>())),
        "split" => two(&mut given, split),
        "join" => join(given),
        "replace" => return replace(given),
        "substr" => return substr(given),
        "cidrhost" | "cidrnetmask" => return cidr(name, given),
        _ => return regex(name, given),
    };
    Some(it)
}

fn bool(it: bool) -> Typed {
    Typed::new(Type::Bool, Value::Bool(it))
}

fn text(it: impl AsRef<str>) -> Typed {
    Typed::new(Type::String, Value::string(it))
}

fn texts<S: AsRef<str>>(it: impl Iterator<Item = S>) -> Typed {
    Typed::new(Type::list(Type::String), Value::List(it.map(Value::string).collect()))
}

fn two(given: &mut impl Iterator<Item = Typed>, make: impl Fn(&str, &str) -> Typed) -> Made {
    let first = string(given, 0)?;
    let second = string(given, 1)?;
    Ok(make(&first, &second))
}

fn split(by: &str, it: &str) -> Typed {
    if by.is_empty() { texts(it.split("").filter(|it| !it.is_empty())) } else { texts(it.split(by)) }
}

fn join(mut given: impl Iterator<Item = Typed>) -> Made {
    let by = string(&mut given, 0)?;
    let mut all = Vec::new();
    for (i, it) in given.enumerate() {
        let it = argument(&mut std::iter::once(it), i + 1, &Type::list(Type::String))?;
        let Value::List(it) = it.value else { return Err(null(i + 1)) };
        for it in it {
            match it {
                Value::String(it) => all.push(it),
                _ => return Err((Some(i + 1), "an element is null".into())),
            }
        }
    }
    Ok(text(all.join(&*by)))
}

fn replace(mut given: impl Iterator<Item = Typed>) -> Option<Made> {
    let mut next = |i| string(&mut given, i);
    let (it, what, by) = match (next(0), next(1), next(2)) {
        (Ok(it), Ok(what), Ok(by)) => (it, what, by),
        (Err(e), ..) | (_, Err(e), _) | (.., Err(e)) => return Some(Err(e)),
    };
    let is_pattern = what.len() > 1 && what.starts_with('/') && what.ends_with('/');
    // An empty text is found between all bytes there, and a pattern is another language.
    (!is_pattern && !what.is_empty()).then(|| Ok(text(it.replace(&*what, &by))))
}

fn substr(mut given: impl Iterator<Item = Typed>) -> Option<Made> {
    let it = match string(&mut given, 0) {
        Ok(it) => it,
        Err(e) => return Some(Err(e)),
    };
    let mut count = |i| match argument(&mut given, i, &Type::Number) {
        Ok(Typed { value: Value::Number(it), .. }) => it.to_i64(),
        _ => None,
    };
    let (from, length) = (usize::try_from(count(1)?).ok()?, count(2)?);
    let rest = it.graphemes(true).skip(from);
    let length = if length < 0 { usize::MAX } else { usize::try_from(length).ok()? };
    Some(Ok(text(rest.take(length).collect::<String>())))
}

fn cidr(name: &str, mut given: impl Iterator<Item = Typed>) -> Option<Made> {
    let it = match string(&mut given, 0) {
        Ok(it) => it,
        Err(e) => return Some(Err(e)),
    };
    let wrong = || Some(Err((Some(0), "this is no range of addresses".into())));
    let Some((address, length)) = it.split_once('/') else { return wrong() };
    // Leading zeros, and addresses of one kind within the other, are read in ways of their own.
    let odd = |part: &str| part.len() > 1 && part.starts_with('0');
    if address.contains('.') && (address.contains(':') || address.split('.').any(odd)) || odd(length) {
        return None;
    }
    let Ok(address) = IpAddr::from_str(address) else { return wrong() };
    let Some(length) =
        length.bytes().all(|it| it.is_ascii_digit()).then(|| length.parse::<u32>().ok()).flatten()
    else {
        return wrong();
    };
    let (bits, width) = match address {
        IpAddr::V4(it) => (u128::from(it.to_bits()), 32),
        IpAddr::V6(it) => (it.to_bits(), 128),
    };
    let Some(free) = u32::checked_sub(width, length) else { return wrong() };
    let host_mask = 1_u128.checked_shl(free).map_or(u128::MAX, |it| it - 1);
    let shown = |bits: u128| match address {
        IpAddr::V4(_) => u32::try_from(bits).ok().map(|it| Ipv4Addr::from_bits(it).to_string()),
        IpAddr::V6(_) => Some(Ipv6Addr::from_bits(bits).to_string()).filter(|it| !it.contains('.')),
    };
    if name == "cidrnetmask" {
        return match address {
            IpAddr::V4(_) => shown(u128::from(u32::MAX) & !host_mask).map(|it| Ok(text(it))),
            IpAddr::V6(_) => Some(Err((Some(0), "only an IPv4 range has a netmask".into()))),
        };
    }
    let host = match argument(&mut given, 1, &Type::Number) {
        Ok(Typed { value: Value::Number(it), .. }) => u128::from(it.to_u64()?),
        Ok(_) => return Some(Err(null(1))),
        Err(e) => return Some(Err(e)),
    };
    if host > host_mask {
        return Some(Err((Some(1), "the range has no host of this number".into())));
    }
    shown(bits & !host_mask | host).map(|it| Ok(text(it)))
}

#[cfg(not(feature = "regex"))]
fn regex(_: &str, _: impl Iterator<Item = Typed>) -> Option<Made> {
    None
}

#[cfg(feature = "regex")]
fn regex(name: &str, mut given: impl Iterator<Item = Typed>) -> Option<Made> {
    let (pattern, it) = match (string(&mut given, 0), string(&mut given, 1)) {
        (Ok(pattern), Ok(it)) => (pattern, it),
        (Err(e), _) | (_, Err(e)) => return Some(Err(e)),
    };
    let pattern = regex_lite::Regex::new(&super::pattern::translated(&pattern)?).ok()?;
    let names: Vec<Option<&str>> = pattern.capture_names().skip(1).collect();
    let named = names.iter().flatten().count();
    // The program refuses a mix of both, and a name that is there twice.
    if named > 0 && named < names.len() {
        return None;
    }
    let found = |it: &regex_lite::Captures<'_>| {
        let group = |i: usize| {
            let it = it.get(i).map_or(Value::Null, |it| Value::string(it.as_str()));
            Typed::new(Type::String, it)
        };
        match names.len() {
            0 => group(0),
            n if named == 0 => Typed::tuple((1..=n).map(group)),
            _ => Typed::object(
                names.iter().enumerate().filter_map(|(i, name)| Some(((*name)?.into(), group(i + 1)))),
            ),
        }
    };
    if name == "regex" {
        let it = pattern.captures(&it).map(|it| found(&it));
        return Some(it.ok_or_else(|| (None, "the pattern does not match".into())));
    }
    let ty = match names.len() {
        0 => Type::String,
        n if named == 0 => Type::tuple((0..n).map(|_| Type::String)),
        _ => Type::object(names.iter().flatten().map(|it| (*it, Type::String))),
    };
    let all = pattern.captures_iter(&it).map(|it| found(&it).value).collect();
    Some(Ok(Typed::new(Type::list(ty), Value::List(all))))
}
