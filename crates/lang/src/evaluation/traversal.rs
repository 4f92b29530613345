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
use crate::syntax::{Expr, ExprKind, StepExpr};
use ferroform_value::convert::{Availability, availability, convert};
use ferroform_value::{NfcString, Step, Type, Typed, Value};

impl<'a> Scope<'a> {
    #[inline(never)]
    pub(crate) fn steps(&mut self, of: &Expr<'a>, steps: &[StepExpr<'a>]) -> Outcome<Typed> {
        if let (ExprKind::Variable(root @ ("var" | "local")), [StepExpr::Attribute(name, at), rest @ ..]) =
            (&of.kind, steps)
            && let Some(variables) = self.variables
            && !self.names.iter().any(|(it, _)| it == root)
        {
            // Only this value is copied. Evaluating `var` first would copy the values of all variables.
            let it = variables.get(root, name, at).and_then(|it| {
                self.spend(value_size(&it.value), at)?;
                Ok(it.clone())
            });
            return self.follow(it, rest);
        }
        let it = self.eval(of);
        self.follow(it, steps)
    }

    fn follow(&mut self, mut it: Outcome<Typed>, steps: &[StepExpr<'a>]) -> Outcome<Typed> {
        let mut next = 0;
        while let Some(step) = steps.get(next) {
            next += 1;
            it = match (it, step) {
                (Ok(it), StepExpr::Splat(at, of_each)) => {
                    let each = &steps[next..steps.len().min(next.saturating_add(*of_each))];
                    next += each.len();
                    self.splat(it, at, each)
                }
                (Ok(it), StepExpr::Attribute(name, at)) => {
                    member(&it, &Step::Attribute(NfcString::new(name).into()), at, true)
                }
                (Ok(it), StepExpr::Index(index)) => match self.eval(index) {
                    Ok(key) => index_step(&it.ty, key, &index.at)
                        .and_then(|step| member(&it, &step, &index.at, false)),
                    Err(e) => {
                        let ty = some_element(&it.ty, &e);
                        Err(e.with_type(ty))
                    }
                },
                (Err(e), step) => {
                    let ty = match (e.ty(), step) {
                        // The index selects an attribute of an object whose attributes may not all be known.
                        (Some(Type::Object(_)), StepExpr::Index(_)) => None,
                        (ty, step) => self.type_after(ty.cloned(), std::slice::from_ref(step), &mut None),
                    };
                    Err(e.with_type(ty))
                }
            };
        }
        it
    }

    /// Evaluates a splat: applies the following steps to each element. For a list or a set, the result is a list. A
    /// value that is not a collection is treated as a tuple with this value as its only element.
    fn splat(&mut self, it: Typed, at: &Range, each: &[StepExpr<'a>]) -> Outcome<Typed> {
        let of = match &it.ty {
            Type::List(of) | Type::Set(of) => Some((**of).clone()),
            _ => None,
        };
        let elements = match it {
            it if it.value == Value::Null && (of.is_some() || matches!(it.ty, Type::Tuple(_))) => {
                return Err(SourceError::new(
                    "Splat of null value",
                    at.clone(),
                    "The splat operator cannot be applied to a null value.",
                ));
            }
            it if it.value == Value::Null => Vec::new(),
            it => it.into_elements().unwrap_or_else(|it| vec![it]),
        };
        let mut first_error = None;
        let mut values = Vec::with_capacity(elements.len());
        let mut types = Vec::with_capacity(elements.len());
        for it in elements {
            types.push(it.ty.clone());
            match self.follow(Ok(it), each) {
                Ok(it) => values.push(it),
                Err(e) => drop(first_error.get_or_insert(e)),
            }
        }
        let ty = match of {
            Some(_) if first_error.is_none() && !values.is_empty() => {
                values.first().map(|it| Type::list(it.ty.clone()))
            }
            Some(of) => self.type_after(Some(of), each, &mut first_error).map(Type::list),
            None if first_error.is_none() => return Ok(Typed::tuple(values)),
            None => {
                let types = types.into_iter().map(|it| self.type_after(Some(it), each, &mut first_error));
                types.collect::<Option<Vec<_>>>().map(Type::tuple)
            }
        };
        match (first_error, ty) {
            (None, Some(ty)) => {
                Ok(Typed::new(ty, Value::List(values.into_iter().map(|it| it.value).collect())))
            }
            (None, None) => Ok(Typed::tuple(values)),
            (Some(e), ty) => Err(e.with_type(ty)),
        }
    }

    /// Returns the type after the steps without evaluating a value; `None` if it cannot be determined. Only the first
    /// error is kept.
    fn type_after(
        &mut self,
        mut ty: Option<Type>,
        steps: &[StepExpr<'a>],
        first_error: &mut Option<SourceError>,
    ) -> Option<Type> {
        for step in steps {
            ty = match self.step_type(&ty?, step) {
                Ok(it) => Some(it),
                Err(e) => {
                    let ty = e.ty().cloned();
                    first_error.get_or_insert(e);
                    ty
                }
            };
        }
        ty
    }

    fn step_type(&mut self, ty: &Type, step: &StepExpr<'a>) -> Outcome<Type> {
        let (step, at, named) = match step {
            StepExpr::Splat(..) => return Ok(Type::Dynamic),
            StepExpr::Attribute(name, at) => (Ok(Step::Attribute(NfcString::new(name).into())), at, true),
            StepExpr::Index(index) => match self.eval(index) {
                Ok(key) => (index_step(ty, key, &index.at), &index.at, false),
                Err(e) => {
                    let ty = some_element(ty, &e);
                    return Err(e.with_type(ty));
                }
            },
        };
        if *ty == Type::Dynamic {
            return Ok(Type::Dynamic);
        }
        member_type(ty, &member_step(ty, &step?)).ok_or_else(|| absent(at, named))
    }
}

/// Converts an index to an attribute path step for a value of the type.
fn index_step(ty: &Type, key: Typed, at: &Range) -> Outcome<Step> {
    let invalid = |detail: String| SourceError::new("Invalid index", at.clone(), detail);
    if matches!(ty, Type::Map(_) | Type::Object(_)) {
        let key =
            to_known_string(key).map_err(|e| invalid(format!("The value cannot be used as a key: {e}.")))?;
        let key = key.ok_or_else(|| invalid("A null value cannot be used as a key.".into()))?;
        return Ok(if matches!(ty, Type::Map(_)) { Step::Key(key) } else { Step::Attribute(key.into()) });
    }
    let it = convert(key.value, &key.ty, &Type::Number)
        .map_err(|e| invalid(format!("The value cannot be used as an index: {e}.")))?;
    let index = if let Value::Number(it) = &it.value { it.to_u64() } else { None };
    let index = index.and_then(|it| usize::try_from(it).ok());
    index
        .map(Step::Index)
        .ok_or_else(|| invalid("An index must be a whole number that is not negative.".into()))
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

/// Converts an attribute step to a key step if the value is a map, because `map.key` and `map["key"]` are equivalent.
fn member_step(ty: &Type, step: &Step) -> Step {
    match (step, ty) {
        (Step::Attribute(name), Type::Map(_)) => Step::Key(name.into()),
        _ => step.clone(),
    }
}

fn member_type(ty: &Type, step: &Step) -> Option<Type> {
    match (step, ty) {
        (Step::Attribute(name), Type::Object(types)) => types.get(name).map(|it| it.ty.clone()),
        (Step::Key(_), Type::Map(ty)) | (Step::Index(_), Type::List(ty)) => Some((**ty).clone()),
        (Step::Index(i), Type::Tuple(types)) => types.get(*i).cloned(),
        _ => None,
    }
}

fn member(it: &Typed, step: &Step, at: &Range, named: bool) -> Outcome<Typed> {
    let step = member_step(&it.ty, step);
    if it.value == Value::Null {
        return Err(of_null(&step, at));
    }
    let found = member_type(&it.ty, &step).zip(it.value.step(&step));
    let (ty, value) = found.ok_or_else(|| absent(at, named))?;
    Ok(Typed::new(ty, value.clone()))
}

fn of_null(step: &Step, at: &Range) -> SourceError {
    match step {
        Step::Attribute(name) => {
            let detail = format!("The value is null, so it does not have the attribute {name:?}.");
            SourceError::new("Attempt to get attribute from null value", at.clone(), detail)
        }
        _ => {
            let detail = "The value is null, so it does not have any elements.";
            SourceError::new("Attempt to index null value", at.clone(), detail)
        }
    }
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
