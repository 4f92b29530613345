//! The arguments of a function call.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::pattern::Patterns;

use ferroform_value::convert::convert;
use ferroform_value::{NfcString, Number, Type, Typed, Value};

/// The error of a function call.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// An argument is invalid, by its index.
    Argument(usize, String),
    /// The arguments do not match each other.
    Call(String),
    /// The result in Terraform is not certain.
    Unsure,
}

pub(crate) type Made<T = Typed> = Result<T, Refusal>;

pub(crate) type Entries = Vec<(Arc<str>, Typed)>;

/// A function: its name, its number of arguments, and its implementation.
pub(crate) type Function = (&'static str, RangeInclusive<usize>, fn(&mut Args<'_>) -> Made);

/// Any number of arguments.
pub(crate) const MANY: usize = usize::MAX;

pub(crate) struct Args<'s> {
    values: std::vec::IntoIter<Typed>,
    /// The number of arguments that were read.
    taken: usize,
    /// The remaining steps.
    left: &'s mut usize,
    pub(crate) patterns: &'s mut Patterns,
}

pub(crate) fn bool(it: bool) -> Typed {
    Typed::new(Type::Bool, Value::Bool(it))
}

pub(crate) fn number(it: impl Into<Number>) -> Typed {
    Typed::new(Type::Number, Value::Number(it.into()))
}

pub(crate) fn text(it: impl AsRef<str>) -> Typed {
    Typed::new(Type::String, Value::string(it))
}

pub(crate) fn list(of: Type, elements: Vec<Value>) -> Typed {
    Typed::new(Type::list(of), Value::List(elements))
}

impl<'s> Args<'s> {
    pub(crate) fn new(values: Vec<Typed>, left: &'s mut usize, patterns: &'s mut Patterns) -> Args<'s> {
        Args { values: values.into_iter(), taken: 0, left, patterns }
    }

    /// Returns the number of remaining arguments.
    pub(crate) fn left(&self) -> usize {
        self.values.len()
    }

    /// Returns an error for the argument that was read last.
    pub(crate) fn wrong(&self, why: impl Into<String>) -> Refusal {
        Refusal::Argument(self.taken.saturating_sub(1), why.into())
    }

    /// Returns the error that the argument that was read last has the wrong type.
    pub(crate) fn unfit(&self, expected: &str) -> Refusal {
        self.wrong(format!("{expected} is required"))
    }

    /// Returns the error that the argument that was read last does not convert.
    pub(crate) fn failed(&self, why: impl Display) -> Refusal {
        self.wrong(why.to_string())
    }

    /// Returns an error if a result would be too large, before it is created.
    pub(crate) fn afford(&self, size: usize) -> Made<()> {
        if size > *self.left { Err(Refusal::Unsure) } else { Ok(()) }
    }

    /// Subtracts from the remaining steps.
    pub(crate) fn spend(&mut self, work: usize) -> Made<()> {
        *self.left = self.left.checked_sub(work).ok_or(Refusal::Unsure)?;
        Ok(())
    }

    /// Returns the next argument.
    pub(crate) fn any(&mut self) -> Made {
        self.taken += 1;
        self.values.next().ok_or(Refusal::Unsure)
    }

    /// Returns the next argument, which must not be null.
    pub(crate) fn present(&mut self) -> Made {
        let it = self.any()?;
        if it.value == Value::Null { Err(self.wrong("the argument must not be null")) } else { Ok(it) }
    }

    /// Returns the next argument, converted to a type. It can be null.
    pub(crate) fn converted(&mut self, ty: &Type) -> Made {
        let it = self.any()?;
        convert(it.value, &it.ty, ty).map_err(|e| self.failed(e))
    }

    /// Returns the next argument, converted to a type and not null.
    pub(crate) fn of(&mut self, ty: &Type) -> Made {
        let it = self.converted(ty)?;
        if it.value == Value::Null { Err(self.wrong("the argument must not be null")) } else { Ok(it) }
    }

    pub(crate) fn text(&mut self) -> Made<NfcString> {
        match self.of(&Type::String)?.value {
            Value::String(it) => Ok(it),
            _ => Err(Refusal::Unsure),
        }
    }

    pub(crate) fn number(&mut self) -> Made<Number> {
        match self.of(&Type::Number)?.value {
            Value::Number(it) => Ok(it),
            _ => Err(Refusal::Unsure),
        }
    }

    pub(crate) fn whole(&mut self) -> Made<i64> {
        let it = self.number()?;
        it.to_i64().ok_or_else(|| self.unfit("a whole number of at most 64 bits"))
    }

    /// Returns the elements of the next argument, converted to a list, with their type.
    pub(crate) fn list(&mut self, of: Type) -> Made<(Type, Vec<Value>)> {
        match self.of(&Type::list(of))? {
            Typed { ty: Type::List(of), value: Value::List(it) } => Ok(((*of).clone(), it)),
            _ => Err(Refusal::Unsure),
        }
    }

    /// Returns the elements of the next argument, which is a list, set or tuple.
    pub(crate) fn elements(&mut self) -> Made<Vec<Typed>> {
        let it = self.present()?;
        it.into_elements().map_err(|_| self.unfit("a list, set or tuple"))
    }

    /// Returns the type and the elements of the next argument, which is a list or tuple.
    pub(crate) fn sequence(&mut self) -> Made<(Type, Vec<Typed>)> {
        let it = self.present()?;
        match it.ty.clone() {
            ty @ (Type::List(_) | Type::Tuple(_)) => match it.into_elements() {
                Ok(it) => Ok((ty, it)),
                Err(_) => Err(Refusal::Unsure),
            },
            _ => Err(self.unfit("a list or a tuple")),
        }
    }

    /// Returns the entries of the next argument, which is a map or object.
    pub(crate) fn entries(&mut self) -> Made<(Type, Entries)> {
        let it = self.present()?;
        let ty = it.ty.clone();
        Ok((ty, it.into_entries().map_err(|_| self.unfit("a map or an object"))?))
    }
}
