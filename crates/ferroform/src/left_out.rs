//! Trait methods that an author leaves out, which the framework must know before any call.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::Result;

/// The future of a method that an author left out.
///
/// It has no state, and that is how Ferroform knows: the future of an `async fn` holds its arguments, so it
/// always has some (see [`is_left_out`]). Whether a resource can update or import is thus known without
/// asking the author to say it twice, and before any call.
pub(crate) struct LeftOut<T>(PhantomData<fn() -> T>);

impl<T> LeftOut<T> {
    pub(crate) fn new() -> LeftOut<T> {
        LeftOut(PhantomData)
    }
}

impl<T> Future for LeftOut<T> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<T>> {
        let what = "This operation is not implemented";
        Poll::Ready(Err(crate::Diagnostic::error(what).detail("This is a bug in Ferroform.").into()))
    }
}

/// True where the method is the one that stands in the trait.
pub(crate) const fn is_left_out<A, B, F>(_: &impl Fn(A, B) -> F) -> bool {
    size_of::<F>() == 0
}

/// The same, for a method with three arguments.
pub(crate) const fn is_left_out3<A, B, C, F>(_: &impl Fn(A, B, C) -> F) -> bool {
    size_of::<F>() == 0
}
