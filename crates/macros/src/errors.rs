//! The collection of compile errors, so that all of them are reported at once.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors so far. [`finish`](Errors::finish) must be called, because an error that is not reported would be
/// accepted.
pub(crate) struct Errors {
    first: Option<syn::Error>,
    finished: bool,
}

impl Errors {
    pub(crate) fn new() -> Errors {
        Errors { first: None, finished: false }
    }

    /// Adds an error at these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.first {
            Some(first) => first.combine(error),
            None => self.first = Some(error),
        }
    }

    /// Converts the errors into code that reports them.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        self.finished = true;
        self.first.take().map(|it| it.to_compile_error())
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.finished || std::thread::panicking(), "the errors were not reported");
    }
}
