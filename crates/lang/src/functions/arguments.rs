//! The arguments of a function call.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::pattern::Patterns;

use ferroform_value::convert::convert;
use ferroform_value::{NfcString, Number, Type, Typed, Value};

/// The error of a function call, without its position.
#[derive(Debug)]
pub(crate) enum CallError {
    /// An argument is invalid, by its index.
    Argument(usize, String),
    /// The arguments do not match each other.
    Call(String),
    /// The result in Terraform cannot be determined.
    Undetermined,
}

pub(crate) type CallResult<T = Typed> = Result<T, CallError>;

pub(crate) type Entries = Vec<(Arc<str>, Typed)>;

/// A function: its name, its number of arguments, and its implementation.
pub(crate) type Function = (&'static str, RangeInclusive<usize>, fn(&mut Args<'_>) -> CallResult);

/// Any number of arguments.
pub(crate) const MANY: usize = usize::MAX;

/// The evaluated arguments of a call, which a function consumes one by one.
pub(crate) struct Args<'s> {
    values: std::vec::IntoIter<Typed>,
    /// The number of consumed arguments.
    consumed: usize,
    /// The remaining steps and bytes of the evaluation.
    budget: &'s mut usize,
    pub(crate) patterns: &'s mut Patterns,
}

pub(crate) fn bool(it: bool) -> Typed {
    Typed::new(Type::Bool, Value::Bool(it))
}

pub(crate) fn number(it: impl Into<Number>) -> Typed {
    Typed::new(Type::Number, Value::Number(it.into()))
}

pub(crate) fn string(it: impl AsRef<str>) -> Typed {
    Typed::new(Type::String, Value::string(it))
}

pub(crate) fn list(of: Type, elements: Vec<Value>) -> Typed {
    Typed::new(Type::list(of), Value::List(elements))
}

impl<'s> Args<'s> {
    pub(crate) fn new(values: Vec<Typed>, budget: &'s mut usize, patterns: &'s mut Patterns) -> Args<'s> {
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

    /// Returns the next argument.
    pub(crate) fn any(&mut self) -> CallResult {
        self.consumed += 1;
        self.values.next().ok_or(CallError::Undetermined)
    }

    /// Returns the next argument, which must not be null.
    pub(crate) fn non_null(&mut self) -> CallResult {
        let it = self.any()?;
        if it.value == Value::Null { Err(self.invalid("the argument must not be null")) } else { Ok(it) }
    }

    /// Returns the next argument, converted to a type. It can be null.
    pub(crate) fn converted(&mut self, ty: &Type) -> CallResult {
        let it = self.any()?;
        convert(it.value, &it.ty, ty).map_err(|e| self.failed(e))
    }

    /// Returns the next argument, converted to a type and not null.
    pub(crate) fn of(&mut self, ty: &Type) -> CallResult {
        let it = self.converted(ty)?;
        if it.value == Value::Null { Err(self.invalid("the argument must not be null")) } else { Ok(it) }
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
        let it = self.number()?;
        it.to_i64().ok_or_else(|| self.expected("a whole number of at most 64 bits"))
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

    /// Returns the type and the elements of the next argument, which is a list or tuple.
    pub(crate) fn sequence(&mut self) -> CallResult<(Type, Vec<Typed>)> {
        let it = self.non_null()?;
        match it.ty.clone() {
            ty @ (Type::List(_) | Type::Tuple(_)) => match it.into_elements() {
                Ok(it) => Ok((ty, it)),
                Err(_) => Err(CallError::Undetermined),
            },
            _ => Err(self.expected("a list or a tuple")),
        }
    }

    /// Returns the entries of the next argument, which is a map or object.
    pub(crate) fn entries(&mut self) -> CallResult<(Type, Entries)> {
        let it = self.non_null()?;
        let ty = it.ty.clone();
        Ok((ty, it.into_entries().map_err(|_| self.expected("a map or an object"))?))
    }
}
