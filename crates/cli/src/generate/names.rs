//! Rust identifiers for the names of a schema.
//!
//! | schema | Rust |
//! |---|---|
//! | type `aws_s3_bucket` | `S3Bucket` |
//! | attribute `type` | `r#type` |
//! | attribute `self` | `self_`, with `rename = "self"` |

use std::collections::HashSet;

use super::definition::{Enum, Variant};

/// The keywords of Rust, including the reserved ones.
const KEYWORDS: [&str; 49] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// The names that generated modules import, and those of the standard prelude.
const IMPORTED: [&str; 51] = [
    "Action",
    "ApplyCx",
    "Args",
    "Attr",
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Clone",
    "Config",
    "DataCx",
    "DataSource",
    "Debug",
    "Default",
    "Diagnostic",
    "Diagnostics",
    "Drop",
    "Dynamic",
    "EphemeralResource",
    "Eq",
    "Err",
    "ExitCode",
    "Fn",
    "From",
    "Function",
    "Identity",
    "Into",
    "InvokeCx",
    "Iterator",
    "Known",
    "ListCx",
    "ListResource",
    "Maybe",
    "Model",
    "None",
    "Number",
    "Ok",
    "OpenCx",
    "Opened",
    "Option",
    "Parameters",
    "Planned",
    "Provider",
    "ReadCx",
    "Registry",
    "RequestCx",
    "Resource",
    "Result",
    "Self",
    "Set",
    "Some",
    "String",
];

/// More imported names, which have the same effect.
const ALSO_IMPORTED: [&str; 13] = [
    "Unknown",
    "Ipv4Addr",
    "Ipv6Addr",
    "Json",
    "Timestamp",
    "Uuid",
    "Vec",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
    "ToString",
];

/// The identifiers of the fields of a struct.
#[derive(Debug, Default)]
pub(super) struct FieldNames {
    used: HashSet<String>,
}

impl FieldNames {
    /// Returns the identifier of a field, and whether it needs the option `rename`.
    pub(super) fn field(&mut self, name: &str) -> (String, bool) {
        let mut snake = snake_case(name);
        while ["self", "super", "crate", "_"].contains(&&*snake) || !self.used.insert(snake.clone()) {
            snake.push('_');
        }
        let is_renamed = snake != name;
        (if is_keyword(&snake) { format!("r#{snake}") } else { snake }, is_renamed)
    }
}

/// Returns the identifiers of the variants of an enum.
pub(super) fn variants(it: &Enum) -> Vec<String> {
    let mut used = HashSet::new();
    let identifier = |it: &Variant| {
        let base = pascal_case(&it.name);
        let name = free_name(if base == "Self" { "Itself" } else { &base }, |it| !used.contains(it));
        used.insert(name.clone());
        name
    };
    it.variants.iter().map(identifier).collect()
}

/// Returns the name of a module for a part of a type name.
pub(super) fn module(part: &str) -> String {
    let taken = [
        "crate",
        "ferroform",
        "functions",
        "jiff",
        "lib",
        "main",
        "provider",
        "self",
        "shared",
        "std",
        "super",
        "uuid",
    ];
    let name = snake_case(part);
    let is_empty = name.chars().all(|it| it == '_');
    if is_empty || taken.contains(&&*name) || is_keyword(&name) { format!("{name}_types") } else { name }
}

/// Returns the type of a provider with this name.
pub(super) fn provider(name: &str) -> String {
    let ty = pascal_case(name);
    let is_imported = ty == "Self" || IMPORTED.iter().chain(&ALSO_IMPORTED).any(|it| *it == ty);
    if is_imported { format!("{ty}Provider") } else { ty }
}

/// Returns true for a keyword that an identifier can be with `r#`.
fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Converts a name to snake case: lowercase letters, digits and underscores, with a letter or an underscore first.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = words(name).join("_").to_lowercase();
    if snake.is_empty() || snake.starts_with(|it: char| it.is_ascii_digit()) {
        snake.insert(0, '_');
    }
    // The usual names are left unchanged, with repeated underscores.
    let is_usual = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    if name.chars().all(is_usual) && !name.starts_with(|it: char| it.is_ascii_digit()) && !name.is_empty() {
        return name.to_owned();
    }
    snake
}

/// Converts a name to Pascal case. A name that starts with another character than a letter gets the prefix `N`, and one
/// without letters and digits is `Empty`.
pub(super) fn pascal_case(name: &str) -> String {
    let mut pascal = String::new();
    for word in words(name) {
        let mut chars = word.chars();
        pascal.extend(chars.next().map(|it| it.to_ascii_uppercase()));
        // A word in capitals is an abbreviation: `HTTP` becomes `Http`.
        let is_abbreviation = !word.chars().any(|it| it.is_ascii_lowercase());
        pascal.extend(chars.map(|it| if is_abbreviation { it.to_ascii_lowercase() } else { it }));
    }
    match pascal.chars().next() {
        None => "Empty".to_owned(),
        Some(it) if it.is_ascii_alphabetic() => pascal,
        Some(_) => format!("N{pascal}"),
    }
}

/// Splits a name at everything that is not a letter or digit, and where a capital follows a lowercase letter.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    let mut chars = name.chars().peekable();
    while let Some(it) = chars.next() {
        if !it.is_ascii_alphanumeric() {
            words.push(String::new());
        } else {
            let ends_abbreviation =
                previous.is_ascii_uppercase() && chars.peek().is_some_and(char::is_ascii_lowercase);
            let is_start = previous.is_ascii_lowercase() || previous.is_ascii_digit() || ends_abbreviation;
            if it.is_ascii_uppercase() && is_start {
                words.push(String::new());
            }
            if let Some(last) = words.last_mut() {
                last.push(it);
            }
        }
        previous = it;
    }
    words.retain(|it| !it.is_empty());
    words
}

/// Returns this name, or the first one with a number that is free.
pub(super) fn free_name(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    let mut free = name.to_owned();
    let mut number = 1;
    while !is_free(&free) {
        number += 1;
        free = format!("{name}{number}");
    }
    free
}

/// The type names of a module.
#[derive(Debug)]
pub(super) struct TypeNames {
    used: HashSet<String>,
}

impl TypeNames {
    /// Reserves the imported names and the type of the provider.
    pub(super) fn new(provider: &str) -> TypeNames {
        let imported = IMPORTED.iter().chain(&ALSO_IMPORTED).map(|it| (*it).to_owned());
        TypeNames { used: imported.chain([provider.to_owned()]).collect() }
    }

    /// Returns the first name that is not in use, together with the names that the derive generates from it, or the last one
    /// with a number.
    pub(super) fn choose(&mut self, candidates: &[String]) -> String {
        let is_free = |it: &str| generated(it).iter().all(|it| !self.used.contains(it));
        let last = candidates.last().map(String::as_str).unwrap_or_default();
        let name =
            candidates.iter().find(|it| is_free(it)).cloned().unwrap_or_else(|| free_name(last, is_free));
        self.reserve(&name);
        name
    }

    /// Reserves a name of another module.
    pub(super) fn reserve(&mut self, name: &str) {
        self.used.extend(generated(name));
    }
}

/// The name with the names of the types that the derive generates.
fn generated(name: &str) -> [String; 3] {
    [name.to_owned(), format!("{name}View"), format!("{name}Computed")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_converted() {
        assert_eq!(pascal_case("s3_bucket"), "S3Bucket");
        assert_eq!(pascal_case("HTTPHeader-name"), "HttpHeaderName");
        assert_eq!(pascal_case("5xx"), "N5xx");
        assert_eq!(pascal_case(""), "Empty");
        assert_eq!(snake_case("HTTPHeaderName"), "http_header_name");
        assert_eq!(snake_case("a__b"), "a__b");
        assert_eq!(snake_case("5xx"), "_5xx");
        let mut fields = FieldNames::default();
        assert_eq!(fields.field("type"), ("r#type".to_owned(), false));
        assert_eq!(fields.field("self"), ("self_".to_owned(), true));
        assert_eq!(fields.field("maxSize"), ("max_size".to_owned(), true));
        assert_eq!(fields.field("_"), ("__".to_owned(), true));
        assert_eq!(fields.field("__"), ("___".to_owned(), true));
        assert_eq!(fields.field("self_"), ("self__".to_owned(), true));
        assert_eq!(module("default"), "default");
        assert_eq!(module("match"), "match_types");
        assert_eq!(module("ferroform"), "ferroform_types");
        assert_eq!(module("_"), "__types");
        assert_eq!(provider("cloud"), "Cloud");
        assert_eq!(provider("registry"), "RegistryProvider");
    }

    #[test]
    fn names_of_types_are_unique() {
        let mut names = TypeNames::new("Cloud");
        let mut choose = |candidates: &[&str]| {
            names.choose(&candidates.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(choose(&["Disk"]), "Disk");
        assert_eq!(choose(&["Disk", "ServerDisk"]), "ServerDisk");
        assert_eq!(choose(&["Disk"]), "Disk2");
        // The derive generates a type of this name.
        assert_eq!(choose(&["DiskView"]), "DiskView2");
        assert_eq!(choose(&["Set"]), "Set2");
        assert_eq!(choose(&["Cloud"]), "Cloud2");
    }
}
