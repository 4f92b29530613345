//! Waiting until something is so, and trying again what may fail.
//!
//! Both end with Ctrl-C and at the method's [deadline](crate::RequestContext::deadline), with an error that says what was waited
//! for. On a [test clock](crate::Clock::test), which the in-process core of `ferroform-testing` has, they take no time.
//!
//! ```
//! use std::time::Duration;
//! use ferroform::wait::{Failed, Pace, Retry, Wait};
//! use ferroform::{Call, Clock, Diagnostic, Result};
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
//! async fn start(cx: &Call, api: &Api) -> Result<u64> {
//!     let id = Retry::new("start the server")
//!         .attempts(5)
//!         .run(cx, || async { api.start().await.map_err(|Busy| Failed::again(Diagnostic::error("The service is busy"))) })
//!         .await?;
//!     Wait::new("the server")
//!         .pending([Status::Building])
//!         .target([Status::Active])
//!         .pace(Pace::every(Duration::from_secs(10)))
//!         .run(cx, || async { Ok(api.status(id).await?.map(|status| (status, id))) })
//!         .await
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! // A unit test of it needs no provider.
//! let cx = Call::detached(Clock::test());
//! assert_eq!(start(&cx, &Api).await, Ok(7));
//! # });
//! ```

mod pace;
mod retry;
mod until;

pub use pace::Pace;
pub use retry::{Failed, Retry};
pub use until::{Phase, Wait};
