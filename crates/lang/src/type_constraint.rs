//! Type expressions: `list(object({name = string, size = optional(number, 1)}))`.
//!
//! There are three parsers. [`Constraint::parse`] accepts optional attributes with defaults, as the `type` argument
//! of a variable does. [`constraint`] accepts optional attributes without defaults, and [`exact`] accepts neither
//! `any` nor optional attributes.
//!
//! ```
//! use ferroform_lang::type_constraint::Constraint;
//! use ferroform_lang::{console, expression};
//!
//! let constraint = Constraint::parse("object({name = string, size = optional(number, 1)})")?;
//! let value = constraint.fit(expression::constant("{name = \"web\"}")?)?;
//! assert_eq!(console::show(&value), "{\n  \"name\" = \"web\"\n  \"size\" = 1\n}");
//!
//! let errors = Constraint::parse("object({name = strng, size = nmber})").unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "1:16: The keyword \"strng\" is not a valid type.\n1:30: The keyword \"nmber\" is not a valid type."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Types can be nested 100 levels deep. Each bracket is a level: `list(object({a = string}))` has three. At most 64
//! errors are reported.
//!
//! # Differences between Terraform's documentation and its behavior
//!
//! The behavior of Terraform takes precedence over its documentation. A list or a set never converts to a tuple. A
//! default is any constant expression, which is evaluated when the constraint is parsed. An ellipsis after an
//! argument is ignored: `list(string...)` is `list(string)`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use ferroform_value::convert::convert;
use ferroform_value::{Attribute, Error, NfcString, ObjectType, Type, Typed, write_quoted};

use crate::defaults::Defaults;
use crate::diagnostic::{Errors, Range, SourceError, result_or_errors};
use crate::evaluation::Scope;
use crate::syntax::{self, Call, Expr, ExprKind, is_identifier};

const INVALID: &str = "Invalid type specification";

/// A type constraint with the defaults of its optional attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The type, with its optional attributes.
    pub ty: Type,
    /// The defaults; `None` if there are none.
    pub defaults: Option<Defaults>,
}

impl Constraint {
    /// Parses a constraint with optional attributes and defaults.
    ///
    /// # Errors
    ///
    /// Returns all errors of the constraint.
    pub fn parse(text: &str) -> Result<Constraint, Errors> {
        read(text, Reading::Defaults)
    }

    /// Applies the defaults to a value and converts it to the type.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no conversion, or if it fails for this value.
    pub fn fit(&self, it: Typed) -> Result<Typed, Error> {
        let it = Typed::resolve(it.value, &it.ty)?;
        let it = match &self.defaults {
            Some(defaults) => defaults.apply(it),
            None => it,
        };
        convert(it.value, &it.ty, &self.ty)
    }
}

/// Returns the constraint `any`.
impl Default for Constraint {
    fn default() -> Constraint {
        Type::Dynamic.into()
    }
}

impl From<Type> for Constraint {
    fn from(ty: Type) -> Constraint {
        Constraint { ty, defaults: None }
    }
}

/// Parses a constraint with optional attributes and without defaults.
///
/// # Errors
///
/// Returns all errors of the constraint.
///
/// ```
/// use ferroform_lang::type_constraint;
///
/// let it = type_constraint::constraint("map(object({a = optional(any)}))")?;
/// assert_eq!(it.to_string(), "map(object({a = optional(any)}))");
/// # Ok::<(), ferroform_lang::Errors>(())
/// ```
pub fn constraint(text: &str) -> Result<Type, Errors> {
    read(text, Reading::Constraint).map(|it| it.ty)
}

/// Parses a type without `any` and without optional attributes.
///
/// # Errors
///
/// Returns all errors of the type.
///
/// ```
/// use ferroform_lang::type_constraint;
/// use ferroform_value::Type;
///
/// assert_eq!(type_constraint::exact("list(string)")?, Type::list(Type::String));
/// assert!(type_constraint::exact("list(any)").is_err());
/// # Ok::<(), ferroform_lang::Errors>(())
/// ```
pub fn exact(text: &str) -> Result<Type, Errors> {
    read(text, Reading::Exact).map(|it| it.ty)
}

/// Prints the type in Terraform's canonical form, without spaces and without optional attributes. [`exact`] parses
/// it. `Display` prints a type for messages, with spaces and optional attributes.
///
/// ```
/// use ferroform_lang::type_constraint;
/// use ferroform_value::Type;
///
/// let ty = Type::object([("b", Type::Number), ("a", Type::list(Type::Dynamic))]);
/// assert_eq!(type_constraint::print(&ty), "object({a=list(any),b=number})");
/// ```
pub fn print(ty: &Type) -> String {
    let mut out = String::new();
    write(&mut out, ty);
    out
}

fn write(out: &mut String, ty: &Type) {
    match ty {
        Type::Bool | Type::Number | Type::String => out.push_str(ty.kind()),
        Type::Dynamic => out.push_str("any"),
        Type::List(it) | Type::Set(it) | Type::Map(it) => {
            let _ = write!(out, "{}(", ty.kind());
            write(out, it);
            out.push(')');
        }
        Type::Tuple(it) => {
            out.push_str("tuple([");
            for (i, ty) in it.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                write(out, ty);
            }
            out.push_str("])");
        }
        Type::Object(it) => {
            out.push_str("object({");
            for (i, it) in it.attributes().iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                if is_identifier(&it.name) {
                    out.push_str(&it.name);
                } else {
                    write_quoted(out, &it.name);
                }
                out.push('=');
                write(out, &it.ty);
            }
            out.push_str("})");
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    Exact,
    Constraint,
    Defaults,
}

fn read(text: &str, reading: Reading) -> Result<Constraint, Errors> {
    let expression = syntax::expression(text).map_err(|it| it.into_errors(text))?;
    read_expr(text, &expression, reading)
}

pub(crate) fn read_expr(text: &str, it: &Expr<'_>, reading: Reading) -> Result<Constraint, Errors> {
    let mut reader = Reader { text, reading, defaults: None, errors: Vec::new() };
    let ty = reader.read(it);
    result_or_errors(text, Constraint { ty, defaults: reader.defaults }, reader.errors)
}

struct Reader<'a> {
    text: &'a str,
    reading: Reading,
    /// The defaults of the type that was parsed last.
    defaults: Option<Defaults>,
    errors: Vec<SourceError>,
}

/// The placeholder for an invalid type, so that parsing continues.
const INVALID_TYPE: Type = Type::Dynamic;

impl Reader<'_> {
    fn report(&mut self, at: &Range, detail: impl Into<String>) {
        self.errors.push(SourceError::new(INVALID, at.clone(), detail));
    }

    fn read(&mut self, it: &Expr<'_>) -> Type {
        match &it.kind {
            ExprKind::Variable(_) | ExprKind::Null | ExprKind::Bool(_) => self.keyword(&it.at),
            ExprKind::Call(call) => self.call(call, &it.at),
            _ => {
                let detail =
                    "A type is one of the keywords bool, number and string, or a call such as list(string).";
                self.report(&it.at, detail);
                INVALID_TYPE
            }
        }
    }

    fn keyword(&mut self, at: &Range) -> Type {
        match &self.text[at.clone()] {
            "bool" => Type::Bool,
            "number" => Type::Number,
            "string" => Type::String,
            "any" => {
                if self.reading == Reading::Exact {
                    self.report(at, "The keyword any cannot be used here because an exact type is required.");
                }
                Type::Dynamic
            }
            word => {
                let detail =
                    argument(word).unwrap_or_else(|| format!("The keyword {word:?} is not a valid type."));
                self.report(at, detail);
                INVALID_TYPE
            }
        }
    }

    fn call(&mut self, call: &Call<'_>, at: &Range) -> Type {
        if matches!(call.name, "bool" | "number" | "string" | "any") {
            self.report(&call.args_at(at), format!("The type {} does not accept arguments.", call.name));
            return INVALID_TYPE;
        }
        let [of] = &*call.args else {
            let Some(detail) = argument(call.name) else {
                return self.unknown(call, at);
            };
            let at = match &*call.args {
                [_, second, rest @ ..] => second.at.start..rest.last().unwrap_or(second).at.end,
                _ => call.args_at(at),
            };
            self.report(&at, detail);
            return INVALID_TYPE;
        };
        match call.name {
            "list" => self.collection(of, Type::list),
            "set" => self.collection(of, Type::set),
            "map" => self.collection(of, Type::map),
            "object" => self.object(of),
            "tuple" => self.tuple(of),
            _ => self.unknown(call, at),
        }
    }

    fn unknown(&mut self, call: &Call<'_>, at: &Range) -> Type {
        if call.name == "optional" {
            self.report(&call.name_at(at), "The optional modifier applies only to attributes of objects.");
        } else {
            self.report(at, format!("The keyword {:?} is not a valid type constructor.", call.name));
        }
        INVALID_TYPE
    }

    fn collection(&mut self, of: &Expr<'_>, ty: fn(Type) -> Type) -> Type {
        let ty = ty(self.read(of));
        if let Some(it) = self.defaults.take() {
            self.defaults = Defaults::node(&ty, BTreeMap::new(), BTreeMap::from([("".into(), it)]));
        }
        ty
    }

    #[inline(never)]
    fn tuple(&mut self, of: &Expr<'_>) -> Type {
        let ExprKind::Tuple(elements) = &of.kind else {
            self.report(&of.at, "A tuple type requires a list of element types in brackets.");
            return INVALID_TYPE;
        };
        let mut types = Vec::with_capacity(elements.len());
        let mut children = BTreeMap::new();
        for (i, it) in elements.iter().enumerate() {
            types.push(self.read(it));
            children.extend(self.defaults.take().map(|it| (i.to_string().into(), it)));
        }
        let ty = Type::tuple(types);
        self.defaults = Defaults::node(&ty, BTreeMap::new(), children);
        ty
    }

    #[inline(never)]
    fn object(&mut self, of: &Expr<'_>) -> Type {
        let ExprKind::Object(items) = &of.kind else {
            self.report(&of.at, "An object type requires a map of attribute names to types in braces.");
            return INVALID_TYPE;
        };
        let items = items.pairs();
        let name =
            |(i, [key, _]): (usize, &[Expr<'_>; 2])| (NfcString::new(&self.text[key.at.clone()]).into(), i);
        let mut names: Vec<(Arc<str>, usize)> = items.iter().enumerate().map(name).collect();
        // Attributes are parsed in the order of their names, so that duplicates are adjacent. Errors are reported in
        // the order of the source.
        names.sort_by(|a, b| a.0.cmp(&b.0));
        let mut attributes = Attributes { types: Vec::with_capacity(names.len()), ..Attributes::default() };
        let mut by_position: Vec<(usize, Vec<SourceError>)> = Vec::new();
        for (name, i) in names {
            let [key, value] = &items[i];
            let before = self.errors.len();
            if !matches!(key.kind, ExprKind::Variable(_) | ExprKind::Null | ExprKind::Bool(_)) {
                let detail = "Attribute names must be written without quotes and cannot be computed.";
                self.report(&key.at, detail);
            } else if attributes.types.last().is_some_and(|it| it.name == name) {
                self.report(&key.at, format!("The attribute {name:?} is declared more than once."));
            } else {
                self.attribute(name, value, &mut attributes);
            }
            if self.errors.len() > before {
                by_position.push((i, self.errors.split_off(before)));
            }
        }
        by_position.sort_unstable_by_key(|it| it.0);
        self.errors.extend(by_position.into_iter().flat_map(|it| it.1));
        let ty = Type::Object(Arc::new(ObjectType::new(attributes.types)));
        let (values, children) = (attributes.values, attributes.children);
        self.defaults = Defaults::node(&ty, values.into_iter().collect(), children.into_iter().collect());
        ty
    }

    fn attribute(&mut self, name: Arc<str>, value: &Expr<'_>, into: &mut Attributes) {
        let (mut optional, mut default, mut of) = (false, None, value);
        if let ExprKind::Call(call) = &value.kind
            && call.name == "optional"
        {
            let [first, rest @ ..] = &*call.args else {
                self.report(&call.args_at(&value.at), "The optional modifier requires the attribute's type.");
                return into.types.push(attribute(name, Type::Dynamic, optional));
            };
            of = first;
            match (self.reading, rest) {
                (Reading::Exact, _) => {
                    self.report(
                        &call.name_at(&value.at),
                        "Optional attributes cannot be used here because an exact type is required.",
                    );
                }
                (_, []) => optional = true,
                (Reading::Defaults, [it]) => match Scope::new(self.text, false).eval(it).map(|it| it.typed) {
                    Ok(value) => {
                        optional = true;
                        default = Some((value, &it.at));
                    }
                    Err(it) => self.errors.push(it),
                },
                (Reading::Defaults, _) => {
                    self.report(
                        &call.args_at(&value.at),
                        "The optional modifier accepts the attribute's type and at most one default value.",
                    );
                }
                (Reading::Constraint, _) => {
                    self.report(
                        &call.args_at(&value.at),
                        "The optional modifier accepts only the attribute's type here.",
                    );
                }
            }
        }
        let ty = self.read(of);
        if let Some(it) = self.defaults.take() {
            into.children.push((name.clone(), it));
        }
        if let Some((value, at)) = default {
            // Most defaults have the type of the attribute and are not converted.
            let fitting = if value.ty == ty { Ok(value) } else { convert(value.value, &value.ty, &ty) };
            match fitting {
                Ok(it) => into.values.push((name.clone(), it)),
                Err(e) => self.errors.push(SourceError::value(
                    "Invalid default value for optional attribute",
                    at.clone(),
                    "The default value is not compatible with the attribute's type constraint",
                    &e,
                )),
            }
        }
        into.types.push(attribute(name, ty, optional));
    }
}

/// The parts of an object type during parsing, sorted by name.
#[derive(Default)]
struct Attributes {
    types: Vec<Attribute>,
    values: Vec<(Arc<str>, Typed)>,
    children: Vec<(Arc<str>, Defaults)>,
}

/// Describes the argument of a type constructor; `None` if there is no such constructor.
fn argument(kind: &str) -> Option<String> {
    let of = match kind {
        "list" | "set" | "map" => "the type of its elements",
        "object" => "the types of its attributes, in braces",
        "tuple" => "the types of its elements, in brackets",
        _ => return None,
    };
    Some(format!("The type {kind} requires one argument: {of}."))
}

fn attribute(name: Arc<str>, ty: Type, optional: bool) -> Attribute {
    let attribute = Attribute::new(name, ty);
    if optional { attribute.optional() } else { attribute }
}
