//! The arguments of a function call.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::pattern::Patterns;
use crate::marks::{Marked, Marks};
use crate::unknown::not_null;

use ferroform_value::convert::convert;
use ferroform_value::{NfcString, Number, Type, Typed, Value};

/// The error of a function call, without its position.
#[derive(Debug)]
pub(crate) enum CallError {
    /// An argument is invalid, by its index.
    Argument(usize, String),
    /// The arguments do not match each other.
    Call(String),
    /// The result is this unknown value.
    Unknown(Box<Typed>),
    /// The result in Terraform cannot be determined.
    Undetermined,
}

pub(crate) type CallResult<T = Marked> = Result<T, CallError>;

/// Returns an unknown result that is not null.
pub(crate) fn unknown<T>(ty: Type) -> CallResult<T> {
    Err(CallError::Unknown(Box::new(not_null(ty))))
}

/// A function: its name, its number of arguments, how it treats unknown and marked arguments, and its implementation.
pub(crate) type Function = (&'static str, RangeInclusive<usize>, Treatment, fn(&mut Args<'_>) -> CallResult);

/// The treatment of unknown and marked arguments by a function.
#[derive(Clone, Copy)]
pub(crate) enum Treatment {
    /// If an argument is not wholly known, the result is an unknown value of a type that is not null. The arguments are
    /// converted to the types of the parameters, the last of which accepts all further arguments. All marks of the
    /// arguments become marks of the result as a whole.
    Known(&'static [Kind], Kind),
    /// As [`Treatment::Known`], but Terraform does not refine an unknown result as not null.
    KnownOrNull(&'static [Kind], Kind),
    /// The implementation receives unknown arguments. All marks of the arguments become marks of the result as a whole.
    Unmarked,
    /// The implementation receives the arguments unchanged, with their unknown values and marks.
    Unchanged,
}

/// The type of a parameter or a result.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Any,
    Number,
    String,
    Bool,
    /// `list(number)`.
    Numbers,
    /// `list(string)`.
    Strings,
    /// `map(list(string))`.
    StringLists,
}

impl Kind {
    fn ty(self) -> Type {
        match self {
            Kind::Any => Type::Dynamic,
            Kind::Number => Type::Number,
            Kind::String => Type::String,
            Kind::Bool => Type::Bool,
            Kind::Numbers => Type::list(Type::Number),
            Kind::Strings => Type::list(Type::String),
            Kind::StringLists => Type::map(Type::list(Type::String)),
        }
    }
}

/// Calls a function.
pub(crate) fn invoke(
    (_, _, treatment, run): &Function,
    arguments: Vec<Marked>,
    budget: &mut usize,
    patterns: &mut Patterns,
) -> CallResult {
    if let Treatment::Unchanged = treatment {
        return run(&mut Args::new(arguments, budget, patterns));
    }
    let mut marks = Marks::none();
    let unmarked = arguments.into_iter().map(|it| {
        let (typed, of_argument) = it.unmarked();
        marks.extend(of_argument);
        Marked::from(typed)
    });
    let mut args = Args::new(unmarked.collect(), budget, patterns);
    let result = match treatment {
        Treatment::Known(parameters, result) if !args.are_wholly_known() => {
            args.check(parameters).and_then(|()| unknown(result.ty()))
        }
        Treatment::KnownOrNull(parameters, result) if !args.are_wholly_known() => {
            args.check(parameters).map(|()| Marked::unknown(result.ty()))
        }
        _ => run(&mut args),
    };
    match result {
        Ok(it) => Ok(it.with(marks)),
        // A null without a type results in an unknown value as well.
        Err(CallError::Unknown(it)) if !marks.is_empty() => Ok(Marked::from(*it).with(marks)),
        Err(e) => Err(e),
    }
}

/// Any number of arguments.
pub(crate) const MANY: usize = usize::MAX;

/// The evaluated arguments of a call, which a function consumes one by one.
pub(crate) struct Args<'s> {
    values: std::vec::IntoIter<Marked>,
    /// The number of consumed arguments.
    consumed: usize,
    /// The remaining steps and bytes of the evaluation.
    budget: &'s mut usize,
    pub(crate) patterns: &'s mut Patterns,
}

pub(crate) fn bool(it: bool) -> Marked {
    Typed::new(Type::Bool, Value::Bool(it)).into()
}

pub(crate) fn number(it: impl Into<Number>) -> Marked {
    Typed::new(Type::Number, Value::Number(it.into())).into()
}

pub(crate) fn string(it: impl AsRef<str>) -> Marked {
    Typed::new(Type::String, Value::string(it)).into()
}

pub(crate) fn list(of: Type, elements: Vec<Value>) -> Marked {
    Typed::new(Type::list(of), Value::List(elements)).into()
}

impl<'s> Args<'s> {
    pub(crate) fn new(values: Vec<Marked>, budget: &'s mut usize, patterns: &'s mut Patterns) -> Args<'s> {
        Args { values: values.into_iter(), consumed: 0, budget, patterns }
    }

    /// Returns the number of remaining arguments.
    pub(crate) fn remaining(&self) -> usize {
        self.values.len()
    }

    /// Returns an error for the last consumed argument.
    pub(crate) fn invalid(&self, detail: impl Into<String>) -> CallError {
        CallError::Argument(self.consumed.saturating_sub(1), detail.into())
    }

    /// Returns the error for the last consumed argument if another type or value is required.
    pub(crate) fn expected(&self, expected: &str) -> CallError {
        self.invalid(format!("{expected} is required"))
    }

    /// Returns the error for the last consumed argument with the message of another error.
    pub(crate) fn failed(&self, detail: impl Display) -> CallError {
        self.invalid(detail.to_string())
    }

    /// Returns an error if a result of this size exceeds the remaining budget. Functions call it before they create
    /// the result.
    pub(crate) fn check_size(&self, size: usize) -> CallResult<()> {
        if size > *self.budget { Err(CallError::Undetermined) } else { Ok(()) }
    }

    /// Subtracts from the remaining steps, and returns an error if none remain.
    pub(crate) fn spend(&mut self, work: usize) -> CallResult<()> {
        *self.budget = self.budget.checked_sub(work).ok_or(CallError::Undetermined)?;
        Ok(())
    }

    fn are_wholly_known(&self) -> bool {
        self.values.as_slice().iter().all(|it| it.typed.value.is_wholly_known())
    }

    /// Returns the error of the first argument that is not valid for its parameter.
    fn check(&mut self, parameters: &[Kind]) -> CallResult<()> {
        while self.remaining() > 0 {
            match parameters.get(self.consumed).or(parameters.last()) {
                None | Some(Kind::Any) => self.non_null()?,
                Some(parameter) => self.of(&parameter.ty())?,
            };
        }
        Ok(())
    }

    /// Converts an argument to the type of its parameter before the first one is consumed. Terraform does this for all
    /// parameters, so the error precedes those of the values.
    pub(crate) fn convert(&mut self, index: usize, ty: &Type) -> CallResult<()> {
        if let Some(it) = self.values.as_mut_slice().get_mut(index) {
            let argument = std::mem::replace(it, Marked::unknown(Type::Dynamic));
            *it = argument.convert(ty).map_err(|e| CallError::Argument(index, e.to_string()))?;
        }
        Ok(())
    }

    /// Returns the next argument with its marks.
    pub(crate) fn marked(&mut self) -> CallResult {
        self.consumed += 1;
        self.values.next().ok_or(CallError::Undetermined)
    }

    /// Returns the next argument with its marks, which must not be null. If its type is unknown, the type of the result
    /// is unknown as well.
    pub(crate) fn marked_non_null(&mut self) -> CallResult {
        let it = self.marked()?;
        self.check_non_null(&it.typed)?;
        if it.typed.ty == Type::Dynamic { unknown(Type::Dynamic) } else { Ok(it) }
    }

    /// Returns the remaining arguments as [`Args::marked_non_null`] does.
    pub(crate) fn remaining_non_null(&mut self) -> CallResult<Vec<Marked>> {
        (0..self.remaining()).map(|_| self.marked_non_null()).collect()
    }

    pub(crate) fn check_non_null(&self, it: &Typed) -> CallResult<()> {
        if it.value == Value::Null { Err(self.invalid("the argument must not be null")) } else { Ok(()) }
    }

    /// Returns the next argument with its marks, converted to a type and not null.
    pub(crate) fn marked_of(&mut self, ty: &Type) -> CallResult {
        let it = self.marked()?.convert(ty).map_err(|e| self.failed(e))?;
        self.check_non_null(&it.typed)?;
        Ok(it)
    }

    /// Returns the next argument.
    pub(crate) fn any(&mut self) -> CallResult<Typed> {
        Ok(self.marked()?.typed)
    }

    /// Returns the next argument, which must not be null.
    pub(crate) fn non_null(&mut self) -> CallResult<Typed> {
        Ok(self.marked_non_null()?.typed)
    }

    /// Returns the next argument, converted to a type. It can be null.
    pub(crate) fn converted(&mut self, ty: &Type) -> CallResult<Typed> {
        let it = self.any()?;
        convert(it.value, &it.ty, ty).map_err(|e| self.failed(e))
    }

    /// Returns the next argument, converted to a type and not null.
    pub(crate) fn of(&mut self, ty: &Type) -> CallResult<Typed> {
        let it = self.converted(ty)?;
        self.check_non_null(&it)?;
        Ok(it)
    }

    pub(crate) fn string(&mut self) -> CallResult<NfcString> {
        match self.of(&Type::String)?.value {
            Value::String(it) => Ok(it),
            _ => Err(CallError::Undetermined),
        }
    }

    pub(crate) fn number(&mut self) -> CallResult<Number> {
        match self.of(&Type::Number)?.value {
            Value::Number(it) => Ok(it),
            _ => Err(CallError::Undetermined),
        }
    }

    /// Returns the next argument, converted to an integer of 64 bits.
    pub(crate) fn integer(&mut self) -> CallResult<i64> {
        self.known_integer()?.ok_or(CallError::Undetermined)
    }

    /// Returns the next argument, converted to an integer of 64 bits; `None` if it is unknown.
    pub(crate) fn known_integer(&mut self) -> CallResult<Option<i64>> {
        let Value::Number(it) = self.of(&Type::Number)?.value else { return Ok(None) };
        let it = it.to_i64().ok_or_else(|| self.expected("a whole number of at most 64 bits"))?;
        Ok(Some(it))
    }

    /// Returns the next argument, converted to a string; `None` if it is unknown.
    pub(crate) fn known_string(&mut self) -> CallResult<Option<NfcString>> {
        Ok(match self.of(&Type::String)?.value {
            Value::String(it) => Some(it),
            _ => None,
        })
    }

    /// Returns the elements of the next argument, converted to a list, with their type; `None` if it is unknown.
    pub(crate) fn known_list(&mut self, of: Type) -> CallResult<(Type, Option<Vec<Value>>)> {
        let it = self.of(&Type::list(of))?;
        let of = it.ty.element().cloned().unwrap_or(Type::Dynamic);
        Ok((of, if let Value::List(it) = it.value { Some(it) } else { None }))
    }

    /// Returns the elements of the next argument, converted to a list, with their type.
    pub(crate) fn list(&mut self, of: Type) -> CallResult<(Type, Vec<Value>)> {
        match self.of(&Type::list(of))? {
            Typed { ty: Type::List(of), value: Value::List(it) } => Ok(((*of).clone(), it)),
            _ => Err(CallError::Undetermined),
        }
    }

    /// Returns the elements of the next argument, which is a list, set or tuple.
    pub(crate) fn elements(&mut self) -> CallResult<Vec<Typed>> {
        let it = self.non_null()?;
        it.into_elements().map_err(|_| self.expected("a list, set or tuple"))
    }

    /// Returns the next argument with its marks, which is a list or tuple.
    pub(crate) fn sequence(&mut self) -> CallResult {
        let it = self.marked_non_null()?;
        match it.typed.ty {
            Type::List(_) | Type::Tuple(_) => Ok(it),
            _ => Err(self.expected("a list or a tuple")),
        }
    }

    /// Returns the next argument with its marks, which is a map or object.
    pub(crate) fn mapping(&mut self) -> CallResult {
        let it = self.marked_non_null()?;
        match it.typed.ty {
            Type::Map(_) | Type::Object(_) => Ok(it),
            _ => Err(self.expected("a map or an object")),
        }
    }
}
