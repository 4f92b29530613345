//! The parser of expressions.
//!
//! The operators, from the lowest to the highest precedence:
//!
//! | operators | operation |
//! | --- | --- |
//! | `? :` | conditional expression |
//! | <code>&#124;&#124;</code> | or |
//! | `&&` | and |
//! | `==`, `!=` | equality |
//! | `<`, `<=`, `>`, `>=` | comparison |
//! | `+`, `-` | addition and subtraction |
//! | `*`, `/`, `%` | multiplication, division and remainder |
//! | `-`, `!` | unary minus and negation |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |text| expression::constant(text).map(|value| console::show(&value));
//! assert_eq!(show("1 + 2 * 3")?, "7");
//! assert_eq!(show("!true || 1 < 2")?, "true");
//! assert_eq!(show("[for x in [1, 2, 3] : x * 2 if x > 1][0]")?, "4");
//! assert_eq!(show("{ for k in [\"a\"] : k => true }.a")?, "true");
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use super::operators::{binary_expression, operator};
use super::scanner::{Kind, Scanner, Sign, Token};
use super::tree::{Call, Expr, ExprKind, For, Items, Names, StepExpr, Unary};
use crate::diagnostic::{Range, SourceError};
use ferroform_value::Number;

/// The maximum nesting of expressions. Each level requires several recursive calls, which use up to ten kilobytes of
/// stack in a build without optimization.
const MAX_NESTING: u32 = 100;

type Parsed<T> = Result<T, SourceError>;

/// Parses a source that consists of one expression.
pub(crate) fn expression(text: &str) -> Parsed<Expr<'_>> {
    let mut parser = Parser::new(text, false);
    let it = parser.expression()?;
    let after = parser.scanner.peek();
    match after.kind {
        Kind::End => Ok(it),
        _ => Err(SourceError::new(
            "Extra characters after expression",
            after.start..after.end,
            "The expression is complete before this token.",
        )),
    }
}

/// Returns the error of a token in place of the name of an argument or block.
pub(super) fn expected_name(token: Token) -> SourceError {
    match token.kind {
        Kind::Quote => syntax_error("Invalid argument name", token, "Argument names must not be quoted."),
        _ => syntax_error("Argument or block definition required", token, "Expected a name."),
    }
}

/// Parses lines of the form `name = expression`.
pub(crate) fn attributes(text: &str) -> Parsed<Vec<(&str, Range, Expr<'_>)>> {
    let mut parser = Parser::new(text, true);
    let mut found = Vec::new();
    loop {
        let name = parser.scanner.next();
        match name.kind {
            Kind::Newline => continue,
            Kind::End => return Ok(found),
            Kind::Name => {}
            _ => return Err(expected_name(name)),
        }
        let at = name.start..name.end;
        let after = parser.scanner.next();
        if after.kind != Kind::Sign(Sign::Assign) {
            let (summary, detail) = match after.kind {
                Kind::Name | Kind::Quote | Kind::Sign(Sign::OpenBrace) => {
                    ("Unexpected block", "Blocks are not allowed here.")
                }
                _ => ("Invalid argument name", "Expected an equals sign after the argument name."),
            };
            return Err(SourceError::new(summary, at, detail));
        }
        let value = parser.expression()?;
        let end = parser.scanner.next();
        if !matches!(end.kind, Kind::Newline | Kind::End) {
            let detail = "A newline is required after an argument.";
            return Err(syntax_error("Missing newline after argument", end, detail));
        }
        found.push((parser.scanner.word(name), at, value));
    }
}

/// Checks the syntax of the value at the position of a parser, and returns its range.
pub(crate) type SkipValue = fn(&mut Parser<'_>) -> Parsed<Range>;

pub(crate) struct Parser<'a> {
    pub(crate) scanner: Scanner<'a>,
    /// Checks the syntax of the value of an argument in a variables file, and returns its range. Its expression is not
    /// kept.
    pub(crate) skip_value: Option<SkipValue>,
    depth: u32,
    /// The parsed expressions that do not have a parent yet, the innermost last. Arguments, elements and items stay
    /// here until their number is known, instead of being returned from function to function.
    done: Vec<Expr<'a>>,
}

fn syntax_error(summary: &'static str, at: Token, detail: &str) -> SourceError {
    SourceError::new(summary, at.start..at.end, detail)
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, newlines: bool) -> Parser<'a> {
        let done = Vec::with_capacity((text.len() / 16).min(256));
        Parser { scanner: Scanner::new(text, newlines), skip_value: None, depth: 0, done }
    }

    fn push(&mut self, kind: ExprKind<'a>, at: Range) {
        self.push_with(|| Expr { kind, at });
    }

    /// Creates an expression directly in the vector. Copying it into the vector is measurably slower for the most
    /// frequent kinds.
    fn push_with(&mut self, make: impl FnOnce() -> Expr<'a>) {
        self.done.extend(std::iter::once_with(make));
    }

    /// Returns the expression that was parsed last.
    fn pop(&mut self) -> Expr<'a> {
        let Some(it) = self.done.pop() else { unreachable!("the caller has just parsed an expression") };
        it
    }

    /// Returns the expressions that were parsed since this position.
    fn pop_since(&mut self, first: usize) -> Box<[Expr<'a>]> {
        self.done.split_off(first).into_boxed_slice()
    }

    /// Starts again at a position outside of brackets.
    pub(crate) fn restart(&mut self, at: usize) {
        self.scanner.newlines(true);
        self.scanner.jump(at);
        self.done.clear();
        self.depth = 0;
    }

    /// Enters a nesting level; `None` if the expression is nested too deeply.
    pub(crate) fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_NESTING).then_some(())
    }

    /// Leaves a nesting level.
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Runs `inner` one nesting level deeper.
    pub(crate) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_NESTING {
            let at = self.scanner.peek();
            return Err(syntax_error("Nested too deeply", at, "The expression is nested too deeply."));
        }
        self.depth += 1;
        let it = inner(self)?;
        self.depth -= 1;
        Ok(it)
    }

    /// Parses an expression.
    pub(crate) fn expression(&mut self) -> Parsed<Expr<'a>> {
        self.read()?;
        Ok(self.pop())
    }

    /// Parses an expression and pushes it onto `done`, as do all methods below that return nothing.
    fn read(&mut self) -> Parsed<()> {
        self.deeper(|it| {
            it.operand()?;
            match it.scanner.kind() {
                Kind::Sign(sign) if sign == Sign::Question || operator(sign).is_some() => it.rest(),
                // Most expressions consist of one operand.
                _ => Ok(()),
            }
        })
    }

    /// Parses the rest of an expression after its first operand: operations, then the results of a conditional
    /// expression.
    #[inline(never)]
    fn rest(&mut self) -> Parsed<()> {
        self.operations(1)?;
        if self.scanner.accept(Sign::Question).is_some() { self.branches() } else { Ok(()) }
    }

    #[inline(never)]
    fn branches(&mut self) -> Parsed<()> {
        let condition = self.pop();
        let then = self.expression()?;
        if self.scanner.accept(Sign::Colon).is_none() {
            let at = self.scanner.peek();
            let detail = "Expected a colon and the false result after the true result.";
            return Err(syntax_error("Missing false expression in conditional", at, detail));
        }
        let otherwise = self.expression()?;
        let at = condition.at.start..otherwise.at.end;
        self.push(ExprKind::Conditional(Box::new([condition, then, otherwise])), at);
        Ok(())
    }

    /// Parses operations with at least this precedence.
    fn operations(&mut self, least: u8) -> Parsed<()> {
        loop {
            let Kind::Sign(sign) = self.scanner.kind() else {
                return Ok(());
            };
            let Some(operator) = operator(sign).filter(|it| it.precedence() >= least) else {
                return Ok(());
            };
            self.scanner.next();
            self.operand()?;
            self.operations(operator.precedence() + 1)?;
            let right = self.pop();
            let left = self.pop();
            self.done.push(binary_expression(left, operator, right));
        }
    }

    fn operand(&mut self) -> Parsed<()> {
        let token = self.scanner.next();
        match token.kind {
            Kind::Name => self.name(token)?,
            Kind::Number => self.number(token)?,
            Kind::Quote | Kind::Heredoc => {
                let it = if token.kind == Kind::Quote { self.quoted(token) } else { self.heredoc(token) };
                self.done.push(it?);
            }
            Kind::Sign(Sign::OpenParen) => self.parens(token)?,
            Kind::Sign(Sign::OpenBracket) => self.tuple(token)?,
            Kind::Sign(Sign::OpenBrace) => self.object(token)?,
            Kind::Sign(Sign::Minus) => return self.unary(Unary::Negate, token),
            Kind::Sign(Sign::Not) => return self.unary(Unary::Not, token),
            _ => return Err(no_value(token)),
        }
        match self.scanner.kind() {
            Kind::Sign(Sign::Dot | Sign::OpenBracket) => self.steps(),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn unary(&mut self, operator: Unary, sign: Token) -> Parsed<()> {
        self.deeper(Parser::operand)?;
        let it = self.pop();
        let at = sign.start..it.at.end;
        self.push(ExprKind::Unary(operator, Box::new(it)), at);
        Ok(())
    }

    #[inline(never)]
    fn number(&mut self, token: Token) -> Parsed<()> {
        let number = Number::parse(self.scanner.word(token)).map_err(|it| {
            syntax_error("Invalid number literal", token, &format!("The number literal is invalid: {it}."))
        })?;
        self.push(ExprKind::Number(number), token.start..token.end);
        Ok(())
    }

    fn name(&mut self, token: Token) -> Parsed<()> {
        if let Kind::Sign(Sign::OpenParen | Sign::Colons) = self.scanner.kind() {
            return self.call(token);
        }
        let at = token.start..token.end;
        match self.scanner.word(token) {
            word @ ("null" | "true" | "false") => self.literal(word, at),
            name => self.push_with(|| Expr { kind: ExprKind::Variable(name), at }),
        }
        Ok(())
    }

    #[inline(never)]
    fn literal(&mut self, word: &str, at: Range) {
        self.push(if word == "null" { ExprKind::Null } else { ExprKind::Bool(word == "true") }, at);
    }

    #[inline(never)]
    fn parens(&mut self, open: Token) -> Parsed<()> {
        let outer = self.scanner.newlines(false);
        let it = self.expression()?;
        let close = self.scanner.next();
        if close.kind != Kind::Sign(Sign::CloseParen) {
            let detail = "Expected a closing parenthesis.";
            return Err(syntax_error("Unbalanced parentheses", close, detail));
        }
        self.scanner.newlines(outer);
        self.push(ExprKind::Parens(Box::new(it)), open.start..close.end);
        Ok(())
    }

    #[inline(never)]
    fn call(&mut self, first: Token) -> Parsed<()> {
        let mut last = first;
        while self.scanner.accept(Sign::Colons).is_some() {
            last = self.scanner.next();
            if last.kind != Kind::Name {
                return Err(syntax_error("Missing function name", last, "Expected a function name."));
            }
        }
        let name_at = first.start..last.end;
        let open = self.scanner.next();
        if open.kind != Kind::Sign(Sign::OpenParen) {
            let detail = "Expected the function's arguments in parentheses.";
            return Err(syntax_error("Missing open parenthesis", open, detail));
        }
        let outer = self.scanner.newlines(false);
        let args = self.done.len();
        let mut expand = false;
        let close = loop {
            if let Some(close) = self.scanner.accept(Sign::CloseParen) {
                break close;
            }
            if expand {
                let at = self.scanner.peek();
                let detail = "The expanding argument must be the last one.";
                return Err(syntax_error("Missing closing parenthesis", at, detail));
            }
            self.read()?;
            expand = self.scanner.accept(Sign::Ellipsis).is_some();
            if !expand {
                let missing = ("Unterminated function call", "Missing argument separator");
                self.separator(Sign::CloseParen, missing, open)?;
            }
        };
        self.scanner.newlines(outer);
        let name = &self.scanner.text[name_at];
        let args = self.pop_since(args);
        let (at, open) = (first.start..close.end, open.start);
        self.push_with(|| Expr { kind: ExprKind::Call(Call { name, open, args, expand }), at });
        Ok(())
    }

    /// Parses a comma, unless the closing bracket follows.
    fn separator(&mut self, close: Sign, missing: (&'static str, &'static str), open: Token) -> Parsed<()> {
        let next = self.scanner.peek();
        match next.kind {
            Kind::Sign(Sign::Comma) => drop(self.scanner.next()),
            Kind::Sign(it) if it == close => {}
            Kind::End => {
                return Err(syntax_error(missing.0, open, "The bracket has no matching closing bracket."));
            }
            _ => {
                let detail = format!("Expected a comma or {:?}.", close.text());
                return Err(syntax_error(missing.1, next, &detail));
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn tuple(&mut self, open: Token) -> Parsed<()> {
        let outer = self.scanner.newlines(false);
        if self.scanner.is_at_word("for") {
            return self.for_each(open, Sign::CloseBracket, outer);
        }
        let elements = self.done.len();
        let close = loop {
            if let Some(close) = self.scanner.accept(Sign::CloseBracket) {
                break close;
            }
            self.read()?;
            let missing = ("Unterminated tuple constructor expression", "Missing item separator");
            self.separator(Sign::CloseBracket, missing, open)?;
        };
        self.scanner.newlines(outer);
        let elements = self.pop_since(elements);
        self.push(ExprKind::Tuple(elements), open.start..close.end);
        Ok(())
    }

    #[inline(never)]
    fn object(&mut self, open: Token) -> Parsed<()> {
        let outer = self.scanner.newlines(false);
        if self.scanner.is_at_word("for") {
            return self.for_each(open, Sign::CloseBrace, outer);
        }
        self.scanner.newlines(true);
        let unterminated = "Unterminated object constructor expression";
        let items = self.done.len();
        let close = loop {
            let next = self.scanner.peek();
            match next.kind {
                Kind::Newline => {
                    self.scanner.next();
                    continue;
                }
                Kind::Sign(Sign::CloseBrace) => break self.scanner.next(),
                Kind::End => {
                    return Err(syntax_error(
                        unterminated,
                        open,
                        "The bracket has no matching closing bracket.",
                    ));
                }
                _ => {}
            }
            self.read()?;
            let equals = self.scanner.next();
            match equals.kind {
                Kind::Sign(Sign::Assign | Sign::Colon) => {}
                Kind::End => {
                    return Err(syntax_error(
                        unterminated,
                        open,
                        "The bracket has no matching closing bracket.",
                    ));
                }
                _ => {
                    let detail = "Expected an equals sign or a colon, and a value, after the key.";
                    return Err(syntax_error("Missing key/value separator", equals, detail));
                }
            }
            self.read()?;
            if self.scanner.kind() == Kind::Newline {
                self.scanner.next();
            } else {
                let missing = (unterminated, "Missing attribute separator");
                self.separator(Sign::CloseBrace, missing, open)?;
            }
        };
        self.scanner.newlines(outer);
        let items = Items(self.pop_since(items));
        self.push(ExprKind::Object(items), open.start..close.end);
        Ok(())
    }

    /// Parses the rest of `[for …]` and `{for …}` after the bracket.
    #[inline(never)]
    fn for_each(&mut self, open: Token, close: Sign, outer: bool) -> Parsed<()> {
        self.scanner.next();
        let (names, of) = self.for_intro()?;
        self.sign(Sign::Colon)?;
        let mut key = None;
        let mut value = self.expression()?;
        if close == Sign::CloseBrace {
            self.sign(Sign::Arrow)?;
            key = Some(std::mem::replace(&mut value, self.expression()?));
        }
        let group = key.is_some() && self.scanner.accept(Sign::Ellipsis).is_some();
        let condition = if self.scanner.is_at_word("if") {
            self.scanner.next();
            Some(self.expression()?)
        } else {
            None
        };
        let close = self.sign(close)?;
        self.scanner.newlines(outer);
        let it = For { names, of, key, value, group, condition };
        self.push(ExprKind::For(Box::new(it)), open.start..close.end);
        Ok(())
    }

    /// Parses `name in value` or `key, name in value`.
    pub(crate) fn for_intro(&mut self) -> Parsed<(Names<'a>, Expr<'a>)> {
        let mut value = self.for_name()?;
        let mut key = None;
        if self.scanner.accept(Sign::Comma).is_some() {
            key = Some(std::mem::replace(&mut value, self.for_name()?));
        }
        if !self.scanner.is_at_word("in") {
            let at = self.scanner.peek();
            return Err(syntax_error("Invalid 'for' expression", at, "Expected the keyword \"in\"."));
        }
        self.scanner.next();
        Ok((Names { key, value }, self.expression()?))
    }

    fn for_name(&mut self) -> Parsed<&'a str> {
        let it = self.scanner.next();
        if it.kind == Kind::Name {
            Ok(self.scanner.word(it))
        } else {
            Err(syntax_error("Invalid 'for' expression", it, "Expected a name."))
        }
    }

    fn sign(&mut self, sign: Sign) -> Parsed<Token> {
        let it = self.scanner.next();
        if it.kind == Kind::Sign(sign) {
            Ok(it)
        } else {
            let detail = format!("Expected {:?}.", sign.text());
            Err(syntax_error("Invalid 'for' expression", it, &detail))
        }
    }

    #[inline(never)]
    fn steps(&mut self) -> Parsed<()> {
        let of = self.pop();
        let start = of.at.start;
        let mut end = of.at.end;
        let mut steps = Vec::new();
        // The index of the last `.*` in `steps`. It applies the following attribute steps to each element, up to the
        // next bracket.
        let mut star = None;
        loop {
            if self.scanner.accept(Sign::Dot).is_some() {
                let name = self.scanner.next();
                end = name.end;
                self.dotted(name, &mut steps, &mut star)?;
            } else if let Some(_open) = self.scanner.accept(Sign::OpenBracket) {
                let outer = self.scanner.newlines(false);
                let step = match self.scanner.accept(Sign::Star) {
                    Some(it) => StepExpr::Splat(it.start..it.end, usize::MAX),
                    None => StepExpr::Index(self.expression()?),
                };
                let close = self.scanner.next();
                if close.kind != Kind::Sign(Sign::CloseBracket) {
                    let detail = "Expected a closing bracket.";
                    return Err(syntax_error("Missing close bracket on index", close, detail));
                }
                self.scanner.newlines(outer);
                end = close.end;
                steps.push(step);
                star = None;
            } else {
                self.push(ExprKind::Steps(Box::new(of), steps), start..end);
                return Ok(());
            }
        }
    }

    /// Parses a name, a star, or numbers as legacy indices: `.0`, `.0.1`.
    fn dotted(&self, token: Token, steps: &mut Vec<StepExpr<'a>>, star: &mut Option<usize>) -> Parsed<()> {
        let word = self.scanner.word(token);
        let at = token.start..token.end;
        match token.kind {
            Kind::Name => steps.push(StepExpr::Attribute(word, at)),
            Kind::Sign(Sign::Star) if star.is_some() => {
                let detail = "A splat after .* is not allowed; use [*] instead.";
                return Err(syntax_error("Nested splat expression not allowed", token, detail));
            }
            Kind::Sign(Sign::Star) => {
                *star = Some(steps.len());
                steps.push(StepExpr::Splat(at, 0));
                return Ok(());
            }
            Kind::Number if star.is_some() && word.contains('.') => {
                let detail = "Only one legacy index may follow .*; use [*] and brackets instead.";
                return Err(syntax_error("Invalid legacy index syntax", token, detail));
            }
            Kind::Number if word.bytes().all(|it| it == b'.' || it.is_ascii_digit()) => {
                for digits in word.split('.') {
                    let kind = Number::parse(digits).map(ExprKind::Number).map_err(|it| {
                        let detail = format!("The index is invalid: {it}.");
                        syntax_error("Invalid legacy index syntax", token, &detail)
                    })?;
                    let at = at.clone();
                    steps.push(StepExpr::Index(Expr { kind, at }));
                }
            }
            _ => {
                return Err(syntax_error(
                    "Invalid attribute name",
                    token,
                    "Expected an attribute name after the dot.",
                ));
            }
        }
        if let Some(StepExpr::Splat(_, of_each)) = star.and_then(|it| steps.get_mut(it)) {
            *of_each += 1;
        }
        Ok(())
    }
}

/// Returns the error for a token that does not start an expression.
#[cold]
fn no_value(token: Token) -> SourceError {
    let summary = match token.kind {
        Kind::End => "Missing expression",
        Kind::Bad => "Invalid character",
        _ => "Invalid expression",
    };
    syntax_error(summary, token, "Expected an expression.")
}
