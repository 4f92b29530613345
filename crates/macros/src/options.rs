//! Parses the options of `#[attr(…)]` without interpreting them.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, ExprRange, Ident, Lit, LitStr, RangeLimits, Token, parenthesized};

use crate::errors::Errors;
use crate::option_names;

/// One option with its value.
pub(crate) struct AttrOption {
    pub(crate) name: Ident,
    pub(crate) value: OptionValue,
}

/// The value of an option.
pub(crate) enum OptionValue {
    /// `computed`
    Nothing,
    /// `default = expr`
    Expr(Expr),
    /// `follows(a, b)`
    Names(Vec<Ident>),
    /// `timeouts(a = expr, b)`
    Pairs(Vec<Pair>),
    /// `requires(a, pattern!(b.c))`
    Exprs(Vec<Expr>),
}

/// A name with an optional expression.
pub(crate) type Pair = (Ident, Option<Expr>);

fn pair(input: ParseStream<'_>) -> syn::Result<Pair> {
    let name = input.call(syn::ext::IdentExt::parse_any)?;
    let value = input.parse::<Option<Token![=]>>()?;
    Ok((name, value.map(|_| input.parse()).transpose()?))
}

impl Parse for AttrOption {
    fn parse(input: ParseStream<'_>) -> syn::Result<AttrOption> {
        let name: Ident = input.call(syn::ext::IdentExt::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            OptionValue::Expr(input.parse()?)
        } else if input.peek(syn::token::Paren) {
            let inner;
            parenthesized!(inner in input);
            match inner.fork().parse_terminated(pair, Token![,]) {
                Ok(pairs) => {
                    inner.parse::<proc_macro2::TokenStream>()?;
                    if pairs.iter().any(|(_, expr)| expr.is_some()) {
                        OptionValue::Pairs(pairs.into_iter().collect())
                    } else {
                        OptionValue::Names(pairs.into_iter().map(|(name, _)| name).collect())
                    }
                }
                Err(_) => {
                    let exprs = Punctuated::<Expr, Token![,]>::parse_terminated(&inner)?;
                    OptionValue::Exprs(exprs.into_iter().collect())
                }
            }
        } else {
            OptionValue::Nothing
        };
        Ok(AttrOption { name, value })
    }
}

/// The options of a field, variant or type. All names are supported, and only some options are repeated.
pub(crate) struct Options(Vec<AttrOption>);

impl Options {
    /// Parses all `#[attr(…)]` attributes.
    pub(crate) fn read(attributes: &[Attribute], known: &[&str], errors: &mut Errors) -> Options {
        let mut options: Vec<AttrOption> = Vec::new();
        for attribute in attributes.iter().filter(|it| it.path().is_ident(option_names::ATTR)) {
            match attribute.parse_args_with(Punctuated::<AttrOption, Token![,]>::parse_terminated) {
                Ok(more) => more.into_iter().for_each(|option| {
                    let name = option.name.to_string();
                    if !known.contains(&name.as_str()) {
                        errors.at(&option.name, unknown(&name, known));
                    } else if !option_names::REPEATED.contains(&name.as_str())
                        && options.iter().any(|it| it.name == name)
                    {
                        errors.at(&option.name, format!("`{name}` is specified more than once"));
                    } else {
                        options.push(option);
                    }
                }),
                Err(error) => errors.push(error),
            }
        }
        Options(options)
    }

    /// Removes an option.
    fn take(&mut self, name: &str) -> Option<AttrOption> {
        let at = self.0.iter().position(|it| it.name == name)?;
        Some(self.0.remove(at))
    }

    /// The name of an option that has not been removed.
    pub(crate) fn any(&self) -> Option<&Ident> {
        self.0.first().map(|it| &it.name)
    }

    /// Removes an option without a value, and returns its span.
    pub(crate) fn flag(&mut self, name: &str, errors: &mut Errors) -> Option<Span> {
        let option = self.take(name)?;
        match option.value {
            OptionValue::Nothing => {}
            OptionValue::Expr(_) | OptionValue::Names(_) | OptionValue::Pairs(_) | OptionValue::Exprs(_) => {
                errors.at(&option.name, format!("`{name}` does not take a value"))
            }
        }
        Some(option.name.span())
    }

    /// Removes an option with an expression.
    pub(crate) fn expr(&mut self, name: &str, errors: &mut Errors) -> Option<(Ident, Expr)> {
        let option = self.take(name)?;
        if let OptionValue::Expr(expr) = option.value {
            return Some((option.name, expr));
        }
        errors.at(&option.name, format!("`{name}` needs a value: `{name} = …`"));
        None
    }

    /// Removes an option with a version, and returns the number and its span; the number is `None` if the expression is
    /// not a number.
    pub(crate) fn version(&mut self, name: &str, errors: &mut Errors) -> Option<(Option<i64>, Span)> {
        let (option_name, expr) = self.expr(name, errors)?;
        if let Some(number) = whole_number(&expr) {
            return Some((Some(number), expr.span()));
        }
        errors.at(&expr, "expected a whole number, such as `version = 1`");
        Some((None, option_name.span()))
    }

    /// Removes an option with a range of versions, such as `0..=2`, and returns its bounds and its span.
    pub(crate) fn versions(&mut self, name: &str) -> Option<(i64, i64, Span)> {
        let at = self.0.iter().position(|it| it.name == name)?;
        let OptionValue::Expr(Expr::Range(range)) = &self.0.get(at)?.value else { return None };
        let ExprRange { start: Some(start), limits: RangeLimits::Closed(_), end: Some(end), .. } = range
        else {
            return None;
        };
        let (first, last) = (whole_number(start)?, whole_number(end)?);
        let versions = (first, last, range.span());
        (first < last).then(|| {
            self.0.remove(at);
            versions
        })
    }

    /// Removes all occurrences of an option with an expression.
    pub(crate) fn exprs(&mut self, name: &str, errors: &mut Errors) -> Vec<(Ident, Expr)> {
        let mut all = Vec::new();
        while self.0.iter().any(|it| it.name == name) {
            all.extend(self.expr(name, errors));
        }
        all
    }

    /// Removes an option with a string.
    pub(crate) fn text(&mut self, name: &str, errors: &mut Errors) -> Option<LitStr> {
        let (_, mut expr) = self.expr(name, errors)?;
        // A string from another macro is in an invisible group.
        while let Expr::Group(inside) = expr {
            expr = *inside.expr;
        }
        if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = expr {
            return Some(text);
        }
        errors.at(&expr, format!("`{name}` needs a string: `{name} = \"…\"`"));
        None
    }

    /// Removes an option whose string may be omitted.
    pub(crate) fn optional_text(
        &mut self,
        name: &str,
        errors: &mut Errors,
    ) -> Option<(Ident, Option<LitStr>)> {
        let option = self.0.iter().find(|it| it.name == name)?;
        let option_name = option.name.clone();
        let text = match option.value {
            OptionValue::Nothing => {
                self.take(name);
                None
            }
            _ => Some(self.text(name, errors)?),
        };
        Some((option_name, text))
    }

    /// Removes the option `deprecated`, whose message may be omitted.
    pub(crate) fn deprecated(&mut self, errors: &mut Errors) -> Option<LitStr> {
        let (name, message) = self.optional_text(option_names::DEPRECATED, errors)?;
        Some(message.unwrap_or_else(|| LitStr::new("", name.span())))
    }

    /// Removes all occurrences of an option with a string.
    pub(crate) fn texts(&mut self, name: &str, errors: &mut Errors) -> Vec<LitStr> {
        let mut all = Vec::new();
        while self.0.iter().any(|it| it.name == name) {
            all.extend(self.text(name, errors));
        }
        all
    }

    /// Removes all occurrences of an option with a list of names and path patterns.
    pub(crate) fn others(&mut self, name: &str, errors: &mut Errors) -> Vec<(Ident, Vec<Expr>)> {
        let mut all = Vec::new();
        while let Some(option) = self.take(name) {
            match option.value {
                OptionValue::Names(names) if !names.is_empty() => {
                    let exprs = names.into_iter().map(|it| syn::parse_quote!(#it)).collect();
                    all.push((option.name, exprs));
                }
                OptionValue::Exprs(exprs) => all.push((option.name, exprs)),
                _ => {
                    let message =
                        format!("`{name}` needs the names of other fields, or path patterns: `{name}(a, b)`");
                    errors.at(&option.name, message);
                }
            }
        }
        all
    }

    /// Removes an option with a list of names, each with an optional expression.
    pub(crate) fn pairs(&mut self, name: &str, errors: &mut Errors) -> Option<(Ident, Vec<Pair>)> {
        let option = self.take(name)?;
        match option.value {
            OptionValue::Pairs(pairs) => return Some((option.name, pairs)),
            OptionValue::Names(names) if !names.is_empty() => {
                return Some((option.name, names.into_iter().map(|it| (it, None)).collect()));
            }
            _ => errors.at(
                &option.name,
                format!("`{name}` needs names of operations: `{name}(create = \"30m\", delete)`"),
            ),
        }
        None
    }

    /// Removes an option with a list of names.
    pub(crate) fn names(&mut self, name: &str, errors: &mut Errors) -> Option<(Ident, Vec<Ident>)> {
        let option = self.take(name)?;
        if let OptionValue::Names(names) = option.value
            && !names.is_empty()
        {
            return Some((option.name, names));
        }
        errors.at(&option.name, format!("`{name}` needs the names of other fields: `{name}(a, b)`"));
        None
    }
}

fn whole_number(expr: &Expr) -> Option<i64> {
    let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = expr else { return None };
    number.base10_parse().ok()
}

fn unknown(name: &str, known: &[&str]) -> String {
    if let Some(instead) = option_names::of_other_frameworks(name).filter(|_| known == option_names::FIELD) {
        return format!("unknown option `{name}`: {instead}");
    }
    let near = known.iter().map(|it| (strsim::levenshtein(name, it), it)).min().filter(|(d, _)| *d <= 3);
    match near {
        Some((_, near)) => format!("unknown option `{name}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown option `{name}`: no options are supported here"),
        None => format!("unknown option `{name}`; supported options are {}", known.join(", ")),
    }
}
