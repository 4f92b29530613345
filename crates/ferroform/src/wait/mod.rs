//! Waiting for a state, and retrying operations that may fail.
//!
//! [`Wait`] polls a remote object until it reaches a target state, as `StateChangeConf` does in SDKv2. [`Retry`] repeats an
//! attempt that may fail transiently, as `RetryContext` does.
//!
//! Both end if the practitioner interrupts Terraform, and at the [deadline](crate::RequestCx::deadline) of the method, with
//! an error that names what they were waiting for. With a [test clock](crate::Clock::test), such as that of
//! `ferroform-testing`, they take no time.
//!
//! ```
//! use std::time::Duration;
//!
//! use ferroform::wait::{Backoff, Retry, RetryError, Wait};
//! use ferroform::{Clock, Diagnostic, RequestCx, Result};
//!
//! #[derive(Debug, PartialEq)]
//! enum Status { Building, Active, Broken }
//!
//! # struct Api;
//! # struct Busy;
//! # impl Api {
//! #     async fn status(&self, id: u64) -> Result<Option<Status>> { Ok(Some(if id == 7 { Status::Active } else { Status::Broken })) }
//! #     async fn start(&self) -> Result<u64, Busy> { Ok(7) }
//! # }
//! async fn start(cx: &RequestCx, api: &Api) -> Result<u64> {
//!     let busy = |Busy| RetryError::transient(Diagnostic::error("Service Busy"));
//!     let id = Retry::new("start the server")
//!         .attempts(5)
//!         .run(cx, || async { api.start().await.map_err(busy) })
//!         .await?;
//!     Wait::new("the server")
//!         .pending([Status::Building])
//!         .target([Status::Active])
//!         .backoff(Backoff::constant(Duration::from_secs(10)))
//!         .run(cx, || async { Ok(api.status(id).await?.map(|status| (status, id))) })
//!         .await
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! // A unit test needs no provider.
//! let cx = RequestCx::detached(Clock::test());
//! assert_eq!(start(&cx, &Api).await, Ok(7));
//! # });
//! ```

mod backoff;
mod poll;
mod retry;

pub use backoff::Backoff;
pub use poll::{Phase, Wait};
pub use retry::{Retry, RetryError};
