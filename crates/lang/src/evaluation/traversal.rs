//! Traversals: `.name`, `[0]` and `[*]`.
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |text| expression::evaluate(text).map(|value| console::show(&value));
//! assert_eq!(show("{ a = [1, 2] }.a[1]")?, "2");
//! assert_eq!(show("[{ a = 1 }, { a = 2 }][*].a == [1, 2]")?, "true");
//! assert_eq!(show("null[*] == []")?, "true");
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use super::scope::{Outcome, Scope, to_known_string, value_size};
use crate::diagnostic::{Range, SourceError};
use crate::marks::{Marked, MarkedRef};
use crate::syntax::{Expr, ExprKind, StepExpr};
use crate::unknown::{is_not_null, length_bounds, not_null, refined, with_length};
use ferroform_value::convert::{Availability, availability, convert};
use ferroform_value::{NfcString, Step, Type, Typed, Value};

/// The type of a value inside an unknown value whose type is not known either.
const DYNAMIC: &Type = &Type::Dynamic;

impl<'a> Scope<'a> {
    /// Evaluates a traversal. Only its result is copied, not the value that it starts from.
    #[inline(never)]
    pub(crate) fn steps(&mut self, of: &Expr<'a>, steps: &[StepExpr<'a>]) -> Outcome<Marked> {
        if let ExprKind::Variable(root) = &of.kind {
            if let Some(it) = self.name(root) {
                return self.follow(MarkedRef::new(&it.typed, &it.marks), steps, &of.at);
            }
            if let Some((found, rest)) = self.environment.resolve(root, &of.at, steps) {
                return match found {
                    Ok(source) => self.follow(source, rest, &of.at),
                    Err(e) => Err(self.after_error(e, rest)),
                };
            }
        }
        match self.eval(of) {
            Ok(it) => self.follow(MarkedRef::new(&it.typed, &it.marks), steps, &of.at),
            Err(e) => Err(self.after_error(e, steps)),
        }
    }

    fn follow(&mut self, mut source: MarkedRef<'_>, steps: &[StepExpr<'a>], at: &Range) -> Outcome<Marked> {
        let mut rest = steps;
        while let [step, after @ ..] = rest {
            rest = after;
            let next = match step {
                StepExpr::Splat(at, of_each) => {
                    let (each, rest) = rest.split_at(rest.len().min(*of_each));
                    return match self.splat(&source, at, each) {
                        Ok(it) if rest.is_empty() => Ok(it),
                        Ok(it) => self.follow(MarkedRef::new(&it.typed, &it.marks), rest, at),
                        Err(e) => Err(self.after_error(e, rest)),
                    };
                }
                StepExpr::Attribute(name, at) => attribute(&source, name, at),
                StepExpr::Index(index) => match self.eval(index) {
                    Ok(key) => element(&source, key, &index.at),
                    Err(e) => {
                        let ty = some_element(source.ty, &e);
                        Err(e.with_type(ty))
                    }
                },
            };
            match next {
                Ok(it) => source = it,
                Err(e) => return Err(self.after_error(e, rest)),
            }
        }
        self.spend(value_size(source.value), steps.last().map_or(at, StepExpr::at))?;
        Ok(source.to_marked())
    }

    /// Returns an error with the type that the expression has after the steps.
    fn after_error(&mut self, mut e: SourceError, steps: &[StepExpr<'a>]) -> SourceError {
        for step in steps {
            let ty = match (e.ty(), step) {
                // The index selects an attribute of an object whose attributes may not all be known.
                (None, _) | (Some(Type::Object(_)), StepExpr::Index(_)) => None,
                (_, StepExpr::Splat(..)) => Some(Type::Dynamic),
                (Some(ty), step) => self.type_after(&ty.clone(), std::slice::from_ref(step), &mut None),
            };
            e = e.with_type(ty);
        }
        e
    }

    /// Returns the type after the steps from an unknown value; `None` if it cannot be determined. Only the first error
    /// is kept.
    fn type_after(
        &mut self,
        ty: &Type,
        steps: &[StepExpr<'a>],
        first_error: &mut Option<SourceError>,
    ) -> Option<Type> {
        match self.follow(MarkedRef::unknown(ty), steps, &(0..0)) {
            Ok(it) => Some(it.typed.ty),
            Err(e) => {
                let ty = e.ty().cloned();
                first_error.get_or_insert(e);
                ty
            }
        }
    }

    /// Evaluates a splat: applies the following steps to each element. For a list or a set, the result is a list. A
    /// value that is not a collection is treated as a tuple with this value as its only element.
    fn splat(&mut self, source: &MarkedRef<'_>, at: &Range, each: &[StepExpr<'a>]) -> Outcome<Marked> {
        let marked = |it: Typed| Ok(Marked::from(it).with(source.marks.clone()));
        let unknown = || marked(Typed::new(Type::Dynamic, Value::UNKNOWN));
        let is_sequence = matches!(source.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        match source.value {
            Value::Null if is_sequence => {
                return Err(SourceError::new(
                    "Splat of null value",
                    at.clone(),
                    "The splat operator cannot be applied to a null value.",
                ));
            }
            Value::Null => return marked(Typed::tuple([])),
            _ if *source.ty == Type::Dynamic => return unknown(),
            _ if is_sequence => {}
            value => {
                let it = self.follow(source.clone(), each, at).map_err(|e| {
                    let ty = e.ty().map(|ty| Type::tuple([ty.clone()]));
                    e.with_type(ty)
                })?;
                // A value that becomes null is treated as an empty tuple.
                return if is_not_null(value) {
                    Ok(Marked::tuple([it]).with(source.marks.clone()))
                } else {
                    unknown()
                };
            }
        }
        let mut first_error = None;
        let mut values = Vec::new();
        let elements = source.elements();
        for it in elements.iter().flatten() {
            match self.follow(it.clone(), each, at) {
                Ok(it) => values.push(it),
                Err(e) => drop(first_error.get_or_insert(e)),
            }
        }
        let is_certain = elements.is_some() && first_error.is_none();
        let ty = match source.ty {
            Type::Tuple(types) if !is_certain => {
                let types = types.iter().map(|it| self.type_after(it, each, &mut first_error));
                types.collect::<Option<Vec<_>>>().map(Type::tuple)
            }
            Type::Tuple(_) => None,
            ty => match values.first() {
                Some(it) if is_certain => Some(Type::list(it.typed.ty.clone())),
                _ => {
                    let of = ty.element().unwrap_or(DYNAMIC);
                    self.type_after(of, each, &mut first_error).map(Type::list)
                }
            },
        };
        match (first_error, ty) {
            (Some(e), ty) => Err(e.with_type(ty)),
            (None, Some(ty @ Type::Tuple(_))) => marked(not_null(ty)),
            (None, Some(ty)) if elements.is_none() => {
                marked(refined(ty, with_length(length_bounds(source.value))))
            }
            (None, Some(Type::List(of))) => {
                Ok(Marked::list((*of).clone(), values).with(source.marks.clone()))
            }
            (None, _) => Ok(Marked::tuple(values).with(source.marks.clone())),
        }
    }
}

/// Returns an attribute of an object or an element of a map: `.name`.
fn attribute<'v>(source: &MarkedRef<'v>, name: &str, at: &Range) -> Outcome<MarkedRef<'v>> {
    if *source.value == Value::Null {
        let detail = format!("The value is null, so it does not have the attribute {name:?}.");
        return Err(SourceError::new("Attempt to get attribute from null value", at.clone(), detail));
    }
    let name = NfcString::new(name);
    let (ty, step) = match source.ty {
        Type::Dynamic => return Ok(source.unknown_step(DYNAMIC)),
        Type::Object(types) => (types.get(&name).map(|it| &it.ty), Step::Attribute(name.into())),
        Type::Map(of) => (Some(&**of), Step::Key(name)),
        _ => (None, Step::Key(name)),
    };
    let ty = ty.ok_or_else(|| absent(at, true))?;
    if source.value.is_unknown() {
        return Ok(source.unknown_step(ty));
    }
    source.step(ty, &step).ok_or_else(|| absent(at, true))
}

/// Returns an element of a collection or tuple, or an attribute of an object: `[key]`.
fn element<'v>(source: &MarkedRef<'v>, key: Marked, at: &Range) -> Outcome<MarkedRef<'v>> {
    let invalid = |detail: String| SourceError::new("Invalid index", at.clone(), detail);
    if *source.value == Value::Null {
        let detail = "The value is null, so it does not have any elements.";
        return Err(SourceError::new("Attempt to index null value", at.clone(), detail));
    }
    let (key, marks) = key.unmarked();
    if key.value != Value::Null && (*source.ty == Type::Dynamic || key.ty == Type::Dynamic) {
        return Ok(source.unknown_step(DYNAMIC));
    }
    let step = if matches!(source.ty, Type::Map(_) | Type::Object(_)) {
        let is_unknown = key.value.is_unknown();
        let key =
            to_known_string(key).map_err(|e| invalid(format!("The value cannot be used as a key: {e}.")))?;
        match (key, source.ty) {
            (Some(key), Type::Map(_)) => Some(Step::Key(key)),
            (Some(key), _) => Some(Step::Attribute(key.into())),
            (None, _) if is_unknown => None,
            (None, _) => return Err(invalid("A null value cannot be used as a key.".into())),
        }
    } else {
        let it = convert(key.value, &key.ty, &Type::Number)
            .map_err(|e| invalid(format!("The value cannot be used as an index: {e}.")))?;
        let index = if let Value::Number(it) = &it.value { it.to_u64() } else { None };
        let step = index.and_then(|it| usize::try_from(it).ok()).map(Step::Index);
        // As in Terraform, the index of an unknown list is not checked.
        let is_unknown = it.value.is_unknown() || source.value.is_unknown() && source.ty.element().is_some();
        if step.is_none() && !is_unknown {
            return Err(invalid("An index must be a whole number that is not negative.".into()));
        }
        step
    };
    let ty = match (source.ty, &step) {
        (Type::List(of) | Type::Map(of), _) => &**of,
        (Type::Tuple(types), Some(Step::Index(i))) => types.get(*i).ok_or_else(|| absent(at, false))?,
        // As in Terraform 1.11, the attributes of an unknown object are not checked.
        (Type::Object(types), Some(Step::Attribute(name))) if !source.value.is_unknown() => {
            &types.get(name).ok_or_else(|| absent(at, false))?.ty
        }
        (Type::Tuple(_) | Type::Object(_), _) => DYNAMIC,
        _ => return Err(absent(at, false)),
    };
    let Some(step) = step.filter(|_| !source.value.is_unknown()) else { return Ok(source.unknown_step(ty)) };
    let mut found = source.step(ty, &step).ok_or_else(|| absent(at, false))?;
    if !matches!(source.ty, Type::Object(_)) {
        found.marks.extend(marks);
    }
    Ok(found)
}

/// Returns the type of an element whose index has an error; `None` if it cannot be determined.
fn some_element(ty: &Type, index: &SourceError) -> Option<Type> {
    let (of, expected) = match ty {
        _ if index.is_template_error() => return None,
        Type::List(of) => (of, Type::Number),
        Type::Map(of) => (of, Type::String),
        _ => return Some(Type::Dynamic),
    };
    let key = index.ty()?;
    let fits = *key != Type::Dynamic && availability(key, &expected) != Availability::None;
    Some(if fits { (**of).clone() } else { Type::Dynamic })
}

fn absent(at: &Range, named: bool) -> SourceError {
    if named {
        SourceError::new(
            "Unsupported attribute",
            at.clone(),
            "The value does not have an attribute of this name.",
        )
    } else {
        SourceError::new("Invalid index", at.clone(), "The value does not have an element for this index.")
    }
}
