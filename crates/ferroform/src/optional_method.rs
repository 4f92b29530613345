//! Trait methods that a provider author may omit.
//!
//! The framework must know before any request which methods exist: a resource without `update` plans a replacement
//! instead, and one without `import` rejects import IDs that match no pattern. Each optional method has a default body
//! that returns [`NotImplemented`]. [`is_implemented`] compares the type of the returned future with that type. An
//! author's `async fn` always returns a future of a different type.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::{Diagnostic, Result};

/// The future of a method that the author has omitted. It is never polled, because the framework does not call the
/// method.
pub(crate) struct NotImplemented<T>(PhantomData<fn() -> T>);

impl<T> NotImplemented<T> {
    pub(crate) fn new() -> NotImplemented<T> {
        NotImplemented(PhantomData)
    }
}

impl<T> Future for NotImplemented<T> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<T>> {
        let error = Diagnostic::error("Operation Not Implemented");
        Poll::Ready(Err(error
            .detail("The provider does not implement this operation. This is a bug in Ferroform.")
            .into()))
    }
}

/// Returns true if the author has implemented the method, which has two arguments.
pub(crate) fn is_implemented<A, B, F, T>(_: &impl Fn(A, B) -> F) -> bool
where
    F: Future<Output = Result<T>>,
{
    is_other_future::<F, T>()
}

/// The same for a method with three arguments.
pub(crate) fn is_implemented3<A, B, C, F, T>(_: &impl Fn(A, B, C) -> F) -> bool
where
    F: Future<Output = Result<T>>,
{
    is_other_future::<F, T>()
}

/// Futures borrow the arguments, so they have no `std::any::TypeId`. The crate `typeid` ignores lifetimes.
fn is_other_future<F, T>() -> bool {
    typeid::of::<F>() != typeid::of::<NotImplemented<T>>()
}

#[cfg(test)]
mod tests {
    use super::*;

    trait Methods {
        fn omitted(&self, input: &str) -> impl Future<Output = Result<usize>> + Send {
            let _ = input;
            NotImplemented::new()
        }

        fn implemented(&self, input: &str) -> impl Future<Output = Result<usize>> + Send {
            let _ = input;
            NotImplemented::new()
        }

        fn without_state(&self, input: &str) -> impl Future<Output = Result<usize>> + Send {
            let _ = input;
            NotImplemented::new()
        }
    }

    struct Author;

    impl Methods for Author {
        async fn implemented(&self, input: &str) -> Result<usize> {
            Ok(input.len())
        }

        fn without_state(&self, _: &str) -> impl Future<Output = Result<usize>> + Send {
            std::future::pending()
        }
    }

    #[test]
    fn only_omitted_methods_are_not_implemented() {
        assert!(!is_implemented(&Author::omitted));
        assert!(is_implemented(&Author::implemented));
        assert!(is_implemented(&Author::without_state), "a future without state is an implementation too");
    }
}
