//! A panic in an author's method becomes a value; the process lives.

use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Once;
use std::task::{Context, Poll};

/// What a panic said, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panic {
    /// The message.
    pub(crate) message: String,
    /// `file:line`, where it is known.
    pub(crate) place: Option<String>,
}

thread_local! {
    /// Set while this thread polls a caught future; the hook leaves the place of a panic here.
    static CAUGHT: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

/// Runs a future to its end, or to its panic.
pub(crate) async fn catch<F: Future>(future: F) -> Result<F::Output, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = info.location().map(|it| format!("{}:{}", it.file(), it.line()));
            let ours = CAUGHT.with_borrow_mut(|it| it.as_mut().map(|it| *it = place).is_some());
            if !ours {
                previous(info);
            }
        }));
    });
    Caught(Box::pin(future)).await
}

struct Caught<F>(Pin<Box<F>>);

impl<F: Future> Future for Caught<F> {
    type Output = Result<F::Output, Panic>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let outer = CAUGHT.replace(Some(None));
        let polled = catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(cx)));
        let place = CAUGHT.replace(outer).flatten();
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(it)) => Poll::Ready(Ok(it)),
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map(|it| (*it).to_owned());
                let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
                Poll::Ready(Err(Panic { message: text.unwrap_or_else(|| "(no message)".into()), place }))
            }
        }
    }
}
