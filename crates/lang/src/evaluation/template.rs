//! Templates.
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |text| expression::evaluate(text).map(|value| console::show(&value));
//! assert_eq!(show("\"%{ for x in [1, 2] }${x}!%{ endfor }\"")?, "\"1!2!\"");
//! assert_eq!(show("\"%{ if true }a%{ else }b%{ endif }\"")?, "\"a\"");
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use super::scope::{Entries, Outcome, Scope, to_known_string};
use crate::diagnostic::{Range, SourceError};
use crate::marks::{Marked, Marks};
use crate::syntax::{Expr, Names, Part};
use crate::unknown::{known_prefix, refined};
use ferroform_value::{Refinements, Type, Typed, Value};

/// The evaluated beginning of a template.
#[derive(Default)]
struct Output {
    /// The string up to the first unknown value.
    known: String,
    is_unknown: bool,
    marks: Marks,
}

impl Output {
    fn push(&mut self, part: &str) {
        if !self.is_unknown {
            self.known.push_str(part);
        }
    }

    /// Appends the result of a directive.
    fn append(&mut self, part: Output) {
        if !part.is_unknown {
            self.push(&part.known);
        }
        self.is_unknown |= part.is_unknown;
        self.marks.extend(part.marks);
    }
}

impl<'a> Scope<'a> {
    #[inline(never)]
    pub(super) fn template(&mut self, parts: &[Part<'a>], at: &Range) -> Outcome<Marked> {
        if let [Part::Value(it)] = parts {
            return self.eval(it);
        }
        let Output { known, is_unknown, marks } =
            self.parts(parts, at).map_err(|e| e.with_type(Type::String))?;
        let it = if is_unknown {
            refined(Type::String, Refinements::new().with_prefix(known_prefix(&known)))
        } else {
            Typed::new(Type::String, Value::string(known))
        };
        Ok(Marked::from(it).with(marks))
    }

    fn parts(&mut self, parts: &[Part<'a>], at: &Range) -> Outcome<Output> {
        let mut out = Output::default();
        for part in parts {
            match part {
                Part::Literal(it) => {
                    // A `for` directive can evaluate this literal many times.
                    self.spend(it.len(), at)?;
                    out.push(it);
                }
                Part::Value(it) => self.interpolation(it, &mut out)?,
                Part::If(condition, then, otherwise) => {
                    let it = self.if_directive(condition, then, otherwise, at)?;
                    out.append(it);
                }
                Part::For(names, of, body) => {
                    let it = self.for_directive(*names, of, body, at)?;
                    out.append(it);
                }
            }
        }
        Ok(out)
    }

    fn interpolation(&mut self, it: &Expr<'a>, out: &mut Output) -> Outcome<()> {
        let invalid =
            |detail| SourceError::new("Invalid template interpolation value", it.at.clone(), detail);
        let value = self.eval(it)?;
        out.marks.extend(value.marks.root());
        // As in Terraform, the type of an unknown value is not checked.
        if value.typed.value.is_unknown() {
            out.is_unknown = true;
            return Ok(());
        }
        match to_known_string(value.typed) {
            Ok(Some(text)) => {
                self.spend(text.len(), &it.at)?;
                out.push(&text);
                Ok(())
            }
            Ok(None) => Err(invalid("A null value cannot be used in a string template.".to_owned())),
            Err(e) => Err(invalid(format!("The value cannot be used in a string template: {e}."))),
        }
    }

    /// As in a conditional expression, both results are evaluated, and the result has the marks of both. An error in the
    /// result that is not selected is ignored.
    fn if_directive(
        &mut self,
        condition: &Expr<'a>,
        then: &[Part<'a>],
        otherwise: &[Part<'a>],
        at: &Range,
    ) -> Outcome<Output> {
        let mut marks = Marks::none();
        let condition = self.condition(condition, &mut marks)?;
        let (selected, other) = if condition == Some(false) { (otherwise, then) } else { (then, otherwise) };
        let selected = self.parts(selected, at);
        // The other result only contributes its marks.
        if self.has_marks()
            && let Ok(other) = self.parts(other, at)
        {
            marks.extend(other.marks);
        }
        if condition.is_none() {
            marks.extend(selected.map(|it| it.marks).unwrap_or_default());
            return Ok(Output { is_unknown: true, marks, ..Output::default() });
        }
        let mut selected = selected?;
        selected.marks.extend(marks);
        Ok(selected)
    }

    fn for_directive(
        &mut self,
        names: Names<'a>,
        of: &Expr<'a>,
        body: &[Part<'a>],
        at: &Range,
    ) -> Outcome<Output> {
        let Entries { entries, marks } = self.entries(of)?;
        let Some(entries) = entries else {
            // As in Terraform, the result has no marks in this case.
            return Ok(Output { is_unknown: true, ..Output::default() });
        };
        let mut out = Output { marks: marks.clone(), ..Output::default() };
        for (key, value) in entries {
            let part = self.with(names, key, value, |it| it.parts(body, at))?;
            out.append(part);
        }
        if out.is_unknown {
            // As in Terraform, the result has the marks of the collection only in this case.
            out.marks = marks;
        }
        Ok(out)
    }
}
