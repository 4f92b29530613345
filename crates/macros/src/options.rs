//! Reads `#[attr(…)]`: options, with an expression or a list of names. Gives them no meaning.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Token, parenthesized};

use crate::errors::Errors;
use crate::option_names;

/// One word, with what came with it.
pub(crate) struct AttrOption {
    pub(crate) name: Ident,
    pub(crate) given: OptionValue,
}

/// What came with a word.
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

/// A name, and the expression that came with it.
pub(crate) type Pair = (Ident, Option<Expr>);

fn pair(input: ParseStream<'_>) -> syn::Result<Pair> {
    let name = input.call(syn::ext::IdentExt::parse_any)?;
    let given = input.parse::<Option<Token![=]>>()?;
    Ok((name, given.map(|_| input.parse()).transpose()?))
}

impl Parse for AttrOption {
    fn parse(input: ParseStream<'_>) -> syn::Result<AttrOption> {
        let name: Ident = input.call(syn::ext::IdentExt::parse_any)?;
        let given = if input.peek(Token![=]) {
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
        Ok(AttrOption { name, given })
    }
}

/// The options of a field or struct. Each is known, and stands there once.
pub(crate) struct Options(Vec<AttrOption>);

impl Options {
    /// Reads every `#[attr(…)]`.
    pub(crate) fn read(attributes: &[Attribute], known: &[&str], errors: &mut Errors) -> Options {
        let mut options: Vec<AttrOption> = Vec::new();
        for attribute in attributes.iter().filter(|it| it.path().is_ident(option_names::ATTR)) {
            match attribute.parse_args_with(Punctuated::<AttrOption, Token![,]>::parse_terminated) {
                Ok(more) => more.into_iter().for_each(|word| {
                    let name = word.name.to_string();
                    if !known.contains(&name.as_str()) {
                        errors.at(&word.name, unknown(&name, known));
                    } else if !option_names::REPEATED.contains(&name.as_str())
                        && options.iter().any(|it| it.name == name)
                    {
                        errors.at(&word.name, format!("`{name}` is specified more than once"));
                    } else {
                        options.push(word);
                    }
                }),
                Err(error) => errors.push(error),
            }
        }
        Options(options)
    }

    /// Takes a word out.
    fn take(&mut self, name: &str) -> Option<AttrOption> {
        let at = self.0.iter().position(|it| it.name == name)?;
        Some(self.0.remove(at))
    }

    /// A word that nobody has taken.
    pub(crate) fn any(&self) -> Option<&Ident> {
        self.0.first().map(|it| &it.name)
    }

    /// A word that stands alone: its place, if it is there.
    pub(crate) fn flag(&mut self, name: &str, errors: &mut Errors) -> Option<Span> {
        let word = self.take(name)?;
        match word.given {
            OptionValue::Nothing => {}
            OptionValue::Expr(_) | OptionValue::Names(_) | OptionValue::Pairs(_) | OptionValue::Exprs(_) => {
                errors.at(&word.name, format!("`{name}` does not take a value"))
            }
        }
        Some(word.name.span())
    }

    /// A word with an expression.
    pub(crate) fn expr(&mut self, name: &str, errors: &mut Errors) -> Option<(Ident, Expr)> {
        let word = self.take(name)?;
        if let OptionValue::Expr(expr) = word.given {
            return Some((word.name, expr));
        }
        errors.at(&word.name, format!("`{name}` needs a value: `{name} = …`"));
        None
    }

    /// A word that may stand there several times, each with an expression.
    pub(crate) fn exprs(&mut self, name: &str, errors: &mut Errors) -> Vec<(Ident, Expr)> {
        let mut all = Vec::new();
        while self.0.iter().any(|it| it.name == name) {
            all.extend(self.expr(name, errors));
        }
        all
    }

    /// A word with a text.
    pub(crate) fn text(&mut self, name: &str, errors: &mut Errors) -> Option<LitStr> {
        let (_, mut expr) = self.expr(name, errors)?;
        // What a macro of the author's has put in comes in an invisible group.
        while let Expr::Group(inside) = expr {
            expr = *inside.expr;
        }
        if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = expr {
            return Some(text);
        }
        errors.at(&expr, format!("`{name}` needs a string: `{name} = \"…\"`"));
        None
    }

    /// A word that may stand there several times, each with a text.
    pub(crate) fn texts(&mut self, name: &str, errors: &mut Errors) -> Vec<LitStr> {
        let mut all = Vec::new();
        while self.0.iter().any(|it| it.name == name) {
            all.extend(self.text(name, errors));
        }
        all
    }

    /// A word that may stand there several times, each with a list of names and patterns of places.
    pub(crate) fn others(&mut self, name: &str, errors: &mut Errors) -> Vec<(Ident, Vec<Expr>)> {
        let mut all = Vec::new();
        while let Some(word) = self.take(name) {
            match word.given {
                OptionValue::Names(names) if !names.is_empty() => {
                    let exprs = names.into_iter().map(|it| syn::parse_quote!(#it)).collect();
                    all.push((word.name, exprs));
                }
                OptionValue::Exprs(exprs) => all.push((word.name, exprs)),
                _ => {
                    let message =
                        format!("`{name}` needs the names of other fields, or path patterns: `{name}(a, b)`");
                    errors.at(&word.name, message);
                }
            }
        }
        all
    }

    /// A word with a list of names, of which some may have an expression.
    pub(crate) fn pairs(&mut self, name: &str, errors: &mut Errors) -> Option<(Ident, Vec<Pair>)> {
        let word = self.take(name)?;
        match word.given {
            OptionValue::Pairs(pairs) => return Some((word.name, pairs)),
            OptionValue::Names(names) if !names.is_empty() => {
                return Some((word.name, names.into_iter().map(|it| (it, None)).collect()));
            }
            _ => errors.at(
                &word.name,
                format!("`{name}` needs names of operations: `{name}(create = \"30m\", delete)`"),
            ),
        }
        None
    }

    /// A word with a list of names.
    pub(crate) fn names(&mut self, name: &str, errors: &mut Errors) -> Option<(Ident, Vec<Ident>)> {
        let word = self.take(name)?;
        if let OptionValue::Names(names) = word.given
            && !names.is_empty()
        {
            return Some((word.name, names));
        }
        errors.at(&word.name, format!("`{name}` needs the names of other fields: `{name}(a, b)`"));
        None
    }
}

fn unknown(name: &str, known: &[&str]) -> String {
    let near = known.iter().map(|it| (strsim::levenshtein(name, it), it)).min().filter(|(d, _)| *d <= 3);
    match near {
        Some((_, near)) => format!("unknown option `{name}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown option `{name}`: no options are supported here"),
        None => format!("unknown option `{name}`; supported options are {}", known.join(", ")),
    }
}
