//! Expressions from their text.

use super::diagnostic::Mistake;
use super::scan::{Kind, Scanner, Sign, Token};
use super::tree::{Binary, Call, Expr, ExprKind, For, Names, StepExpr, Unary};
use crate::Number;

/// How deep expressions may be nested. A level takes several functions here, and up to ten kilobytes of stack
/// in a build without optimisation.
const MAX_NESTING: u32 = 100;

pub(crate) type Range = std::ops::Range<usize>;

type Parsed<T> = Result<T, Mistake>;

/// Reads a text that is one expression.
pub(crate) fn expression(text: &str) -> Parsed<Expr<'_>> {
    let mut parser = Parser::new(text, false);
    let it = parser.expression()?;
    let after = parser.scanner.peek();
    match after.kind {
        Kind::End => Ok(it),
        _ => Err(Mistake::new(
            "Extra characters after expression",
            after.start..after.end,
            "The expression ends before this.",
        )),
    }
}

/// Reads a text of the form `name = expression`, one on each line.
pub(crate) fn attributes(text: &str) -> Parsed<Vec<(&str, Range, Expr<'_>)>> {
    let mut parser = Parser::new(text, true);
    let mut found = Vec::new();
    loop {
        let name = parser.scanner.next();
        match name.kind {
            Kind::Newline => continue,
            Kind::End => return Ok(found),
            Kind::Name => {}
            _ => {
                return Err(mistake(
                    "Argument or block definition required",
                    name,
                    "A name is required here.",
                ));
            }
        }
        let at = name.start..name.end;
        let after = parser.scanner.next();
        if after.kind != Kind::Sign(Sign::Assign) {
            let (summary, detail) = match after.kind {
                Kind::Name | Kind::Quote | Kind::Sign(Sign::OpenBrace) => {
                    ("Unexpected block", "There are no blocks here.")
                }
                _ => ("Invalid argument name", "An equals sign is required after a name."),
            };
            return Err(Mistake::new(summary, at, detail));
        }
        let value = parser.expression()?;
        let end = parser.scanner.next();
        if !matches!(end.kind, Kind::Newline | Kind::End) {
            let why = "What follows the value of a name must stand on a line of its own.";
            return Err(mistake("Missing newline after argument", end, why));
        }
        found.push((parser.scanner.word(name), at, value));
    }
}

pub(super) struct Parser<'a> {
    pub(super) scanner: Scanner<'a>,
    depth: u32,
    /// The items of the objects that are being read, those of the innermost last. An object's own memory is made
    /// when their number is known.
    items: Vec<(Expr<'a>, Expr<'a>)>,
}

fn mistake(summary: &'static str, at: Token, detail: &str) -> Mistake {
    Mistake::new(summary, at.start..at.end, detail)
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, newlines: bool) -> Parser<'a> {
        Parser { scanner: Scanner::new(text, newlines), depth: 0, items: Vec::new() }
    }

    /// Goes one level deeper while `inner` runs.
    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_NESTING {
            let at = self.scanner.peek();
            return Err(mistake("Nested too deeply", at, "This is nested too deeply."));
        }
        self.depth += 1;
        let it = inner(self)?;
        self.depth -= 1;
        Ok(it)
    }

    pub(super) fn expression(&mut self) -> Parsed<Expr<'a>> {
        self.deeper(|it| {
            let first = it.operand()?;
            match it.scanner.peek().kind {
                Kind::Sign(sign) if sign == Sign::Question || operator(sign).is_some() => it.rest(first),
                // Nearly all expressions end here.
                _ => Ok(first),
            }
        })
    }

    /// What follows the first operand: operations, then a condition's results.
    #[inline(never)]
    fn rest(&mut self, first: Expr<'a>) -> Parsed<Expr<'a>> {
        let condition = self.operations(first, 1)?;
        if self.scanner.accept(Sign::Question).is_some() { self.branches(condition) } else { Ok(condition) }
    }

    #[inline(never)]
    fn branches(&mut self, condition: Expr<'a>) -> Parsed<Expr<'a>> {
        let then = self.expression()?;
        if self.scanner.accept(Sign::Colon).is_none() {
            let at = self.scanner.peek();
            let why = "A colon and the other result are required after the first.";
            return Err(mistake("Missing false expression in conditional", at, why));
        }
        let otherwise = self.expression()?;
        let at = condition.at.start..otherwise.at.end;
        let kind = ExprKind::Conditional(Box::new([condition, then, otherwise]));
        Ok(Expr { kind, at })
    }

    /// Operations on a first operand that bind at least so tightly.
    fn operations(&mut self, mut left: Expr<'a>, least: u8) -> Parsed<Expr<'a>> {
        loop {
            let Kind::Sign(sign) = self.scanner.peek().kind else {
                return Ok(left);
            };
            let Some(operator) = operator(sign).filter(|it| it.precedence() >= least) else {
                return Ok(left);
            };
            self.scanner.next();
            let right = self.operand()?;
            let right = self.operations(right, operator.precedence() + 1)?;
            left = joined(left, operator, right);
        }
    }

    fn operand(&mut self) -> Parsed<Expr<'a>> {
        let token = self.scanner.next();
        let it = match token.kind {
            Kind::Name => self.name(token),
            Kind::Number => self.number(token),
            Kind::Quote => self.quoted(token),
            Kind::Heredoc => self.heredoc(token),
            Kind::Sign(Sign::OpenParen) => self.parens(token),
            Kind::Sign(Sign::OpenBracket) => self.tuple(token),
            Kind::Sign(Sign::OpenBrace) => self.object(token),
            Kind::Sign(Sign::Minus) => return self.unary(Unary::Negate, token),
            Kind::Sign(Sign::Not) => return self.unary(Unary::Not, token),
            _ => return Err(no_value(token)),
        };
        match self.scanner.peek().kind {
            Kind::Sign(Sign::Dot | Sign::OpenBracket) => self.steps(it?),
            _ => it,
        }
    }

    #[inline(never)]
    fn unary(&mut self, operator: Unary, sign: Token) -> Parsed<Expr<'a>> {
        let it = self.deeper(Parser::operand)?;
        let at = sign.start..it.at.end;
        Ok(Expr { kind: ExprKind::Unary(operator, Box::new(it)), at })
    }

    #[inline(never)]
    fn number(&mut self, token: Token) -> Parsed<Expr<'a>> {
        let number = Number::parse(self.scanner.word(token)).map_err(|it| {
            mistake("Invalid number literal", token, &format!("This number cannot be read: {it}."))
        })?;
        Ok(Expr { kind: ExprKind::Number(number), at: token.start..token.end })
    }

    fn name(&mut self, token: Token) -> Parsed<Expr<'a>> {
        let name = self.scanner.word(token);
        let kind = match (self.scanner.peek().kind, name) {
            (Kind::Sign(Sign::OpenParen | Sign::Colons), _) => return self.call(token),
            (_, "null") => ExprKind::Null,
            (_, "true") => ExprKind::Bool(true),
            (_, "false") => ExprKind::Bool(false),
            _ => ExprKind::Variable(name),
        };
        Ok(Expr { kind, at: token.start..token.end })
    }

    #[inline(never)]
    fn parens(&mut self, open: Token) -> Parsed<Expr<'a>> {
        let outer = self.scanner.newlines(false);
        let it = self.expression()?;
        let close = self.scanner.next();
        if close.kind != Kind::Sign(Sign::CloseParen) {
            let why = "A closing parenthesis is required here.";
            return Err(mistake("Unbalanced parentheses", close, why));
        }
        self.scanner.newlines(outer);
        Ok(Expr { kind: ExprKind::Parens(Box::new(it)), at: open.start..close.end })
    }

    #[inline(never)]
    fn call(&mut self, first: Token) -> Parsed<Expr<'a>> {
        let mut last = first;
        while self.scanner.accept(Sign::Colons).is_some() {
            last = self.scanner.next();
            if last.kind != Kind::Name {
                return Err(mistake("Missing function name", last, "A function's name is required here."));
            }
        }
        let name_at = first.start..last.end;
        let open = self.scanner.next();
        if open.kind != Kind::Sign(Sign::OpenParen) {
            let why = "The arguments of the function are required here, in parentheses.";
            return Err(mistake("Missing open parenthesis", open, why));
        }
        let outer = self.scanner.newlines(false);
        // Most calls are of types, which have one argument, or are `optional` with a default.
        let mut args = Vec::with_capacity(2);
        let mut expand = false;
        let close = loop {
            if let Some(close) = self.scanner.accept(Sign::CloseParen) {
                break close;
            }
            if expand {
                let at = self.scanner.peek();
                let why = "Nothing may follow an argument that is expanded.";
                return Err(mistake("Missing closing parenthesis", at, why));
            }
            args.push(self.expression()?);
            expand = self.scanner.accept(Sign::Ellipsis).is_some();
            if !expand {
                let missing = ("Unterminated function call", "Missing argument separator");
                self.separator(Sign::CloseParen, missing, open)?;
            }
        };
        self.scanner.newlines(outer);
        let call = Call {
            name: &self.scanner.text[name_at.clone()],
            name_at,
            args,
            args_at: open.start..close.end,
            expand,
        };
        Ok(Expr { at: first.start..close.end, kind: ExprKind::Call(Box::new(call)) })
    }

    /// A comma, unless the bracket closes now.
    fn separator(&mut self, close: Sign, missing: (&'static str, &'static str), open: Token) -> Parsed<()> {
        let next = self.scanner.peek();
        match next.kind {
            Kind::Sign(Sign::Comma) => drop(self.scanner.next()),
            Kind::Sign(it) if it == close => {}
            Kind::End => return Err(mistake(missing.0, open, "This bracket is not closed.")),
            _ => {
                let why = format!("A comma or {:?} is required here.", close.text());
                return Err(mistake(missing.1, next, &why));
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn tuple(&mut self, open: Token) -> Parsed<Expr<'a>> {
        let outer = self.scanner.newlines(false);
        if self.scanner.at_word("for") {
            return self.for_each(open, Sign::CloseBracket, outer);
        }
        let mut elements = Vec::new();
        let close = loop {
            if let Some(close) = self.scanner.accept(Sign::CloseBracket) {
                break close;
            }
            elements.push(self.expression()?);
            let missing = ("Unterminated tuple constructor expression", "Missing item separator");
            self.separator(Sign::CloseBracket, missing, open)?;
        };
        self.scanner.newlines(outer);
        Ok(Expr { kind: ExprKind::Tuple(elements), at: open.start..close.end })
    }

    #[inline(never)]
    fn object(&mut self, open: Token) -> Parsed<Expr<'a>> {
        let outer = self.scanner.newlines(false);
        if self.scanner.at_word("for") {
            return self.for_each(open, Sign::CloseBrace, outer);
        }
        self.scanner.newlines(true);
        let unterminated = "Unterminated object constructor expression";
        let first = self.items.len();
        let close = loop {
            let next = self.scanner.peek();
            match next.kind {
                Kind::Newline => {
                    self.scanner.next();
                    continue;
                }
                Kind::Sign(Sign::CloseBrace) => break self.scanner.next(),
                Kind::End => return Err(mistake(unterminated, open, "This bracket is not closed.")),
                _ => {}
            }
            let key = self.expression()?;
            let equals = self.scanner.next();
            match equals.kind {
                Kind::Sign(Sign::Assign | Sign::Colon) => {}
                Kind::End => return Err(mistake(unterminated, open, "This bracket is not closed.")),
                _ => {
                    let why = "An equals sign or a colon, and a value, are required after a key.";
                    return Err(mistake("Missing key/value separator", equals, why));
                }
            }
            let value = self.expression()?;
            self.items.push((key, value));
            if self.scanner.peek().kind == Kind::Newline {
                self.scanner.next();
            } else {
                let missing = (unterminated, "Missing attribute separator");
                self.separator(Sign::CloseBrace, missing, open)?;
            }
        };
        self.scanner.newlines(outer);
        let items = self.items.drain(first..).collect();
        Ok(Expr { kind: ExprKind::Object(items), at: open.start..close.end })
    }

    /// What follows the bracket in `[for …]` and `{for …}`.
    #[inline(never)]
    fn for_each(&mut self, open: Token, close: Sign, outer: bool) -> Parsed<Expr<'a>> {
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
        let condition = if self.scanner.at_word("if") {
            self.scanner.next();
            Some(self.expression()?)
        } else {
            None
        };
        let close = self.sign(close)?;
        self.scanner.newlines(outer);
        let it = For { names, of, key, value, group, condition };
        Ok(Expr { kind: ExprKind::For(Box::new(it)), at: open.start..close.end })
    }

    /// `name in value` or `key, name in value`.
    pub(super) fn for_intro(&mut self) -> Parsed<(Names<'a>, Expr<'a>)> {
        let mut value = self.for_name()?;
        let mut key = None;
        if self.scanner.accept(Sign::Comma).is_some() {
            key = Some(std::mem::replace(&mut value, self.for_name()?));
        }
        if !self.scanner.at_word("in") {
            let at = self.scanner.peek();
            return Err(mistake("Invalid 'for' expression", at, "The word \"in\" is required here."));
        }
        self.scanner.next();
        Ok((Names { key, value }, self.expression()?))
    }

    fn for_name(&mut self) -> Parsed<&'a str> {
        let it = self.scanner.next();
        if it.kind == Kind::Name {
            Ok(self.scanner.word(it))
        } else {
            Err(mistake("Invalid 'for' expression", it, "A name is required here."))
        }
    }

    fn sign(&mut self, sign: Sign) -> Parsed<Token> {
        let it = self.scanner.next();
        if it.kind == Kind::Sign(sign) {
            Ok(it)
        } else {
            let why = format!("{:?} is required here.", sign.text());
            Err(mistake("Invalid 'for' expression", it, &why))
        }
    }

    #[inline(never)]
    fn steps(&mut self, of: Expr<'a>) -> Parsed<Expr<'a>> {
        let start = of.at.start;
        let mut end = of.at.end;
        let mut steps = Vec::new();
        loop {
            if self.scanner.accept(Sign::Dot).is_some() {
                let name = self.scanner.next();
                end = name.end;
                self.dotted(name, &mut steps)?;
            } else if let Some(_open) = self.scanner.accept(Sign::OpenBracket) {
                let outer = self.scanner.newlines(false);
                let index = match self.scanner.accept(Sign::Star) {
                    Some(_) => None,
                    None => Some(self.expression()?),
                };
                let close = self.scanner.next();
                if close.kind != Kind::Sign(Sign::CloseBracket) {
                    let why = "A closing bracket is required here.";
                    return Err(mistake("Missing close bracket on index", close, why));
                }
                self.scanner.newlines(outer);
                end = close.end;
                steps.push(index.map_or(StepExpr::Splat, StepExpr::Index));
            } else {
                return Ok(Expr { kind: ExprKind::Steps(Box::new(of), steps), at: start..end });
            }
        }
    }

    /// A name, a star, or numbers as they were written for indices in old times: `.0`, `.0.1`.
    fn dotted(&self, token: Token, steps: &mut Vec<StepExpr<'a>>) -> Parsed<()> {
        let word = self.scanner.word(token);
        let at = token.start..token.end;
        match token.kind {
            Kind::Name => steps.push(StepExpr::Attribute(word, at)),
            Kind::Sign(Sign::Star) => steps.push(StepExpr::Splat),
            Kind::Number if word.bytes().all(|it| it == b'.' || it.is_ascii_digit()) => {
                for digits in word.split('.') {
                    let kind = Number::parse(digits).map(ExprKind::Number);
                    let kind =
                        kind.map_err(|it| mistake("Invalid legacy index syntax", token, it.message()))?;
                    let at = at.clone();
                    steps.push(StepExpr::Index(Expr { kind, at }));
                }
            }
            _ => {
                return Err(mistake("Invalid attribute name", token, "A name is required after a dot."));
            }
        }
        Ok(())
    }
}

/// Where a value is required and something else stands.
#[cold]
fn no_value(token: Token) -> Mistake {
    let summary = match token.kind {
        Kind::End => "Missing expression",
        Kind::Bad => "Invalid character",
        _ => "Invalid expression",
    };
    mistake(summary, token, "A value is required here.")
}

fn operator(sign: Sign) -> Option<Binary> {
    Some(match sign {
        Sign::Or => Binary::Or,
        Sign::And => Binary::And,
        Sign::Equal => Binary::Equal,
        Sign::NotEqual => Binary::NotEqual,
        Sign::Less => Binary::Less,
        Sign::LessOrEqual => Binary::LessOrEqual,
        Sign::Greater => Binary::Greater,
        Sign::GreaterOrEqual => Binary::GreaterOrEqual,
        Sign::Plus => Binary::Add,
        Sign::Minus => Binary::Subtract,
        Sign::Star => Binary::Multiply,
        Sign::Slash => Binary::Divide,
        Sign::Percent => Binary::Remainder,
        _ => return None,
    })
}

/// Two operands and an operator; operations of one precedence stay on one level, however many there are.
fn joined<'a>(left: Expr<'a>, operator: Binary, right: Expr<'a>) -> Expr<'a> {
    let at = left.at.start..right.at.end;
    let kind = match left.kind {
        ExprKind::Binary(first, mut rest)
            if rest.first().is_some_and(|(it, _)| it.precedence() == operator.precedence()) =>
        {
            rest.push((operator, right));
            ExprKind::Binary(first, rest)
        }
        kind => {
            let first = Expr { kind, at: left.at };
            ExprKind::Binary(Box::new(first), vec![(operator, right)])
        }
    };
    Expr { kind, at }
}
