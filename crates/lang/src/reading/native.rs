//! Values in HCL.

use ferroform_value::{NfcString, Type, Typed, Value};

use super::{Source, Start, skip};
use crate::diagnostic::{Range, SourceError};
use crate::evaluation::Scope;
use crate::syntax::{Kind, Parser, Sign};

/// Reads a constant value in HCL. Tuples and objects are read directly, and each other expression is parsed and evaluated
/// separately.
pub(crate) struct NativeSource<'p, 'a> {
    parser: &'p mut Parser<'a>,
    /// Evaluates the expressions; `None` if only the syntax is checked.
    scope: Option<Scope<'a>>,
    /// For each open bracket, whether newlines are tokens around it.
    outer: Vec<bool>,
    /// The end of the last expression or closing bracket.
    end: usize,
}

impl<'p, 'a> NativeSource<'p, 'a> {
    /// Creates the source of the value at the position of the parser.
    pub(crate) fn new(parser: &'p mut Parser<'a>, scope: Option<Scope<'a>>) -> NativeSource<'p, 'a> {
        NativeSource { parser, scope, outer: Vec::new(), end: 0 }
    }

    /// Enters the bracket that is the next token.
    fn open(&mut self, newlines: bool) -> Option<()> {
        self.parser.enter()?;
        self.parser.scanner.next();
        let outer = self.parser.scanner.newlines(newlines);
        self.outer.push(outer);
        Some(())
    }

    /// Leaves the bracket that ends with the next token. Only a separator can follow a value: after `[1, 2]`, an index or
    /// an operator belongs to a larger expression.
    fn close(&mut self) -> Option<()> {
        self.end = self.parser.scanner.next().end;
        let outer = self.outer.pop()?;
        self.parser.leave();
        self.parser.scanner.newlines(outer);
        let separators =
            [Kind::Sign(Sign::Comma), Kind::Sign(Sign::CloseBracket), Kind::Sign(Sign::CloseBrace)];
        let next = self.parser.scanner.kind();
        (separators.contains(&next) || matches!(next, Kind::Newline | Kind::End)).then_some(())
    }

    fn expression(&mut self) -> Option<Start> {
        let expression = self.parser.expression().ok()?;
        self.end = expression.at.end;
        let value = match &mut self.scope {
            Some(scope) => scope.eval(&expression).ok()?.typed,
            None => Typed::new(Type::Dynamic, Value::Null),
        };
        Some(Start::Value(value))
    }

    /// Returns true if the keyword `for` follows the bracket that is the next token.
    fn is_for(&mut self) -> bool {
        let bracket = self.parser.scanner.peek();
        let outer = self.parser.scanner.newlines(false);
        self.parser.scanner.jump(bracket.end);
        let is_for = self.parser.scanner.is_at_word("for");
        self.parser.scanner.newlines(outer);
        self.parser.scanner.jump(bracket.start);
        is_for
    }
}

impl Source for NativeSource<'_, '_> {
    const ALLOWS_DUPLICATES: bool = true;

    fn start(&mut self) -> Option<Start> {
        match self.parser.scanner.kind() {
            Kind::Sign(Sign::OpenBracket | Sign::OpenBrace) if self.is_for() => self.expression(),
            Kind::Sign(Sign::OpenBracket) => {
                self.open(false)?;
                Some(Start::Sequence)
            }
            Kind::Sign(Sign::OpenBrace) => {
                self.open(true)?;
                Some(Start::Mapping)
            }
            _ => self.expression(),
        }
    }

    fn element(&mut self, is_first: bool) -> Option<bool> {
        if !is_first
            && self.parser.scanner.accept(Sign::Comma).is_none()
            && self.parser.scanner.kind() != Kind::Sign(Sign::CloseBracket)
        {
            return None;
        }
        if self.parser.scanner.kind() == Kind::Sign(Sign::CloseBracket) {
            self.close()?;
            return Some(false);
        }
        Some(true)
    }

    fn key(&mut self, is_first: bool) -> Option<Option<NfcString>> {
        if !is_first {
            match self.parser.scanner.kind() {
                Kind::Newline | Kind::Sign(Sign::Comma) => drop(self.parser.scanner.next()),
                Kind::Sign(Sign::CloseBrace) => {}
                _ => return None,
            }
        }
        while self.parser.scanner.kind() == Kind::Newline {
            self.parser.scanner.next();
        }
        if self.parser.scanner.kind() == Kind::Sign(Sign::CloseBrace) {
            self.close()?;
            return Some(None);
        }
        let key = match self.parser.scanner.kind() {
            Kind::Name => {
                let token = self.parser.scanner.next();
                NfcString::new(self.parser.scanner.word(token))
            }
            Kind::Quote => NfcString::new(self.parser.expression().ok()?.literal_string()?),
            _ => return None,
        };
        let separator = self.parser.scanner.next();
        matches!(separator.kind, Kind::Sign(Sign::Assign | Sign::Colon)).then_some(Some(key))
    }
}

/// Checks the syntax of the value at the position of the parser, and returns its range. A value with too many elements is
/// an error.
pub(crate) fn skip_native(parser: &mut Parser<'_>) -> Result<Range, SourceError> {
    let start = parser.scanner.peek().start;
    let mut elements = 0;
    let mut source = NativeSource::new(parser, None);
    if skip(&mut source, &mut elements).is_some() {
        return Ok(start..source.end);
    }
    if elements > super::MAX_ELEMENTS {
        let detail = format!("A value can have at most {} elements and attributes.", super::MAX_ELEMENTS);
        return Err(SourceError::new("Value too large", start..start, detail));
    }
    parser.restart(start);
    Ok(parser.expression()?.at)
}
