//! The arguments of a call, one after the other.

use std::sync::Arc;

use crate::convert::convert;
use crate::expr::eval::Scope;
use crate::{Error, Number, Type, Typed, Value};

/// Why a call comes to nothing.
#[derive(Debug)]
pub(super) enum Refusal {
    /// One of the arguments, counted from zero, is wrong.
    Argument(usize, String),
    /// They do not go together.
    Call(String),
    /// It is not certain what the program says to this.
    Unsure,
}

pub(super) type Made<T = Typed> = Result<T, Refusal>;

pub(super) type Entries = Vec<(Arc<str>, Typed)>;

/// The compiled patterns of an expression: one that stands in a `for` is met often.
#[cfg(feature = "regex")]
pub(in crate::expr) type Patterns = super::patterns::Patterns;
#[cfg(not(feature = "regex"))]
pub(in crate::expr) type Patterns = ();

pub(super) struct Args<'s> {
    given: std::vec::IntoIter<Typed>,
    /// How many of them were taken.
    taken: usize,
    /// How much may still be done.
    left: &'s mut usize,
    #[cfg_attr(not(feature = "regex"), expect(dead_code, reason = "there are none"))]
    pub(super) patterns: &'s mut Patterns,
}

pub(super) fn bool(it: bool) -> Typed {
    Typed::new(Type::Bool, Value::Bool(it))
}

pub(super) fn number(it: impl Into<Number>) -> Typed {
    Typed::new(Type::Number, Value::Number(it.into()))
}

pub(super) fn text(it: impl AsRef<str>) -> Typed {
    Typed::new(Type::String, Value::string(it))
}

pub(super) fn list(of: Type, elements: Vec<Value>) -> Typed {
    Typed::new(Type::list(of), Value::List(elements))
}

impl<'s> Args<'s> {
    pub(super) fn new(given: Vec<Typed>, scope: &'s mut Scope<'_>) -> Args<'s> {
        let (left, patterns) = scope.resources();
        Args { given: given.into_iter(), taken: 0, left, patterns }
    }

    /// How many are left.
    pub(super) fn left(&self) -> usize {
        self.given.len()
    }

    /// Says what is wrong with the argument that was taken last.
    pub(super) fn wrong(&self, why: impl Into<String>) -> Refusal {
        Refusal::Argument(self.taken.saturating_sub(1), why.into())
    }

    /// Says that the argument that was taken last should have been something else.
    pub(super) fn unfit(&self, wanted: &str) -> Refusal {
        self.wrong(format!("{wanted} is required"))
    }

    /// Says that the argument that was taken last does not convert.
    pub(super) fn failed(&self, why: &Error) -> Refusal {
        self.wrong(why.to_string())
    }

    /// Refuses to make something so large, before it is made.
    pub(super) fn afford(&self, size: usize) -> Made<()> {
        if size > *self.left { Err(Refusal::Unsure) } else { Ok(()) }
    }

    /// Takes so much of what may still be done.
    #[cfg(feature = "regex")]
    pub(super) fn spend(&mut self, work: usize) -> Made<()> {
        *self.left = self.left.checked_sub(work).ok_or(Refusal::Unsure)?;
        Ok(())
    }

    /// The next argument, whatever it is.
    pub(super) fn any(&mut self) -> Made {
        self.taken += 1;
        self.given.next().ok_or(Refusal::Unsure)
    }

    /// The next argument, which must not be null.
    pub(super) fn present(&mut self) -> Made {
        let it = self.any()?;
        if it.value == Value::Null { Err(self.wrong("the argument must not be null")) } else { Ok(it) }
    }

    /// The next argument, converted; a null stays one.
    pub(super) fn converted(&mut self, ty: &Type) -> Made {
        let it = self.any()?;
        convert(it.value, &it.ty, ty).map_err(|e| self.failed(&e))
    }

    /// The next argument, converted and not null.
    pub(super) fn of(&mut self, ty: &Type) -> Made {
        let it = self.converted(ty)?;
        if it.value == Value::Null { Err(self.wrong("the argument must not be null")) } else { Ok(it) }
    }

    pub(super) fn text(&mut self) -> Made<Arc<str>> {
        match self.of(&Type::String)?.value {
            Value::String(it) => Ok(it),
            _ => Err(Refusal::Unsure),
        }
    }

    pub(super) fn number(&mut self) -> Made<Number> {
        match self.of(&Type::Number)?.value {
            Value::Number(it) => Ok(it),
            _ => Err(Refusal::Unsure),
        }
    }

    pub(super) fn whole(&mut self) -> Made<i64> {
        let it = self.number()?;
        it.to_i64().ok_or_else(|| self.unfit("a whole number of at most 64 bits"))
    }

    /// The next argument as a list, with the type of its elements.
    pub(super) fn list(&mut self, of: Type) -> Made<(Type, Vec<Value>)> {
        match self.of(&Type::list(of))? {
            Typed { ty: Type::List(of), value: Value::List(it) } => Ok(((*of).clone(), it)),
            _ => Err(Refusal::Unsure),
        }
    }

    /// The elements of the next argument, each with its type: a list, a set or a tuple.
    pub(super) fn elements(&mut self) -> Made<Vec<Typed>> {
        let it = self.present()?;
        it.into_elements().map_err(|_| self.unfit("a list, set or tuple"))
    }

    /// The same, with the type of the whole, which is a list's or a tuple's.
    pub(super) fn sequence(&mut self) -> Made<(Type, Vec<Typed>)> {
        let it = self.present()?;
        match it.ty.clone() {
            ty @ (Type::List(_) | Type::Tuple(_)) => match it.into_elements() {
                Ok(it) => Ok((ty, it)),
                Err(_) => Err(Refusal::Unsure),
            },
            _ => Err(self.unfit("a list or a tuple")),
        }
    }

    /// The entries of the next argument: a map or an object.
    pub(super) fn entries(&mut self) -> Made<(Type, Entries)> {
        let it = self.present()?;
        let ty = it.ty.clone();
        Ok((ty, it.into_entries().map_err(|_| self.unfit("a map or an object"))?))
    }
}
