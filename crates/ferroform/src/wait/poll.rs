//! Polling until a remote object reaches a state.

use std::fmt::{self, Debug};
use std::time::{Duration, Instant};

use ferroform_engine::concurrency::run_until::run_until;
use ferroform_engine::diagnostic::sentence;
use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::timeouts::{DEFAULT_TIMEOUT, format_duration};

use super::Backoff;
use crate::{Diagnostic, RequestCx, Result};

/// The intervals of SDKv2, so that a ported provider sends as many requests as before.
const BACKOFF: Backoff = Backoff::exponential(Duration::from_millis(100), Duration::from_secs(10));
const MAX_NOT_FOUND: u32 = 20;

/// The timeout of the last poll, which starts when the timeout of the wait ends.
const LAST_POLL: Duration = Duration::from_secs(10);

/// How a [`Wait`] treats a state.
///
/// ```
/// use ferroform::wait::{Phase, Wait};
///
/// // Progress in percent.
/// let wait = Wait::new("the backup").classify("100 %", |percent: &u8| match percent {
///     0..100 => Phase::Pending,
///     100 => Phase::Target,
///     _ => Phase::Failed,
/// });
/// # let _ = wait;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Continue to poll.
    Pending,
    /// The target is reached.
    Target,
    /// The target can no longer be reached.
    Failed,
}

type Classify<S> = Box<dyn Fn(&S) -> Option<Phase> + Send + Sync>;

/// Polls a remote object until it reaches a target state: see the [example](super).
///
/// `S` is the type of its state: a string, an enum, or any type for which [`classify`](Wait::classify) returns a phase.
#[must_use = "call `run`"]
pub struct Wait<S> {
    object: String,
    phase: Classify<S>,
    pending: Vec<String>,
    target: Vec<String>,
    delay: Duration,
    backoff: Backoff,
    timeout: Option<Duration>,
    max_not_found: u32,
    consecutive: u32,
}

impl<S> fmt::Debug for Wait<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wait")
            .field("object", &self.object)
            .field("backoff", &self.backoff)
            .finish_non_exhaustive()
    }
}

impl<S: Debug> Wait<S> {
    /// Waits for an object, which error messages name: "the server".
    pub fn new(object: impl Into<String>) -> Wait<S> {
        Wait {
            object: object.into(),
            phase: Box::new(|_| None),
            pending: Vec::new(),
            target: Vec::new(),
            delay: Duration::ZERO,
            backoff: BACKOFF,
            timeout: None,
            max_not_found: MAX_NOT_FOUND,
            consecutive: 1,
        }
    }

    /// The states before the target. Any other state is an error. Without this setting, every state that is not a
    /// target is pending.
    pub fn pending(mut self, states: impl IntoIterator<Item = S>) -> Wait<S>
    where
        S: PartialEq + Send + Sync + 'static,
    {
        let states: Vec<S> = states.into_iter().collect();
        self.pending.extend(names(&states));
        self.with_phase(states, Phase::Pending)
    }

    /// The target states.
    pub fn target(mut self, states: impl IntoIterator<Item = S>) -> Wait<S>
    where
        S: PartialEq + Send + Sync + 'static,
    {
        let states: Vec<S> = states.into_iter().collect();
        self.target.extend(names(&states));
        self.with_phase(states, Phase::Target)
    }

    fn with_phase(mut self, states: Vec<S>, phase: Phase) -> Wait<S>
    where
        S: PartialEq + Send + Sync + 'static,
    {
        let before = self.phase;
        self.phase = Box::new(move |state| before(state).or_else(|| states.contains(state).then_some(phase)));
        self
    }

    /// Classifies states by a function, instead of [`pending`](Wait::pending) and [`target`](Wait::target). Error
    /// messages name the target.
    ///
    /// ```
    /// use ferroform::wait::{Phase, Wait};
    ///
    /// let wait = Wait::new("the copy").classify("complete", |percent: &u8| match percent {
    ///     0..100 => Phase::Pending,
    ///     100 => Phase::Target,
    ///     _ => Phase::Failed,
    /// });
    /// ```
    pub fn classify(
        mut self,
        target: impl Into<String>,
        classify: impl Fn(&S) -> Phase + Send + Sync + 'static,
    ) -> Wait<S> {
        self.phase = Box::new(move |state| Some(classify(state)));
        self.target = vec![target.into()];
        self
    }

    /// The time before the first poll; none by default.
    pub fn delay(mut self, delay: Duration) -> Wait<S> {
        self.delay = delay;
        self
    }

    /// The pauses between polls. The default is exponential from 0.1 to 10 seconds.
    pub fn backoff(mut self, backoff: Backoff) -> Wait<S> {
        self.backoff = backoff;
        self
    }

    /// The maximum time to wait. The [deadline](crate::RequestCx::deadline) of the method applies in addition. The
    /// default is that deadline, or 20 minutes if the method has none, as in SDKv2.
    pub fn timeout(mut self, timeout: Duration) -> Wait<S> {
        self.timeout = Some(timeout);
        self
    }

    /// The maximum number of consecutive polls that do not find the object, because an eventually consistent service
    /// may not return a new object at once. The default is 20.
    pub fn max_not_found(mut self, polls: u32) -> Wait<S> {
        self.max_not_found = polls;
        self
    }

    /// The number of consecutive polls that must find a target state. The default is 1.
    pub fn consecutive(mut self, polls: u32) -> Wait<S> {
        self.consecutive = polls;
        self
    }

    /// Waits, and returns the result of the last poll. `poll` returns the state of the object and any other value, or
    /// `None` if there is no object. A poll in progress is canceled if the wait is interrupted. At the end of the
    /// [timeout](Wait::timeout) it polls once more, for at most 10 seconds.
    ///
    /// # Errors
    /// Returns the error of `poll`, or an error if the state is unexpected, the timeout passes, the object is not found
    /// too often, or the wait is interrupted.
    pub async fn run<T, F, Fut>(self, cx: &RequestCx, poll: F) -> Result<T>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<Option<(S, T)>>>,
    {
        let goal = format!("{} to become {}", self.object, list(&self.target));
        let found = self.until(cx, &goal, false, poll).await?;
        // Only a wait until the object is gone ends without a value.
        found.ok_or_else(|| Diagnostic::error("Object Not Found").of_kind(DiagnosticKind::NotFound).into())
    }

    /// Waits until the object does not exist anymore or, if target states are set, is in one of them. Before that, it
    /// may be in a pending state; if no pending states are set, it may be in any state.
    ///
    /// # Errors
    ///
    /// As [`run`](Wait::run).
    pub async fn run_until_gone<T, F, Fut>(self, cx: &RequestCx, poll: F) -> Result<()>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<Option<(S, T)>>>,
    {
        let goal = format!("{} to be gone", self.object);
        self.until(cx, &goal, true, poll).await.map(drop)
    }

    /// Returns the value of the target state; with `gone`, `None` if the object does not exist.
    async fn until<T, F, Fut>(self, cx: &RequestCx, goal: &str, gone: bool, mut poll: F) -> Result<Option<T>>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<Option<(S, T)>>>,
    {
        let clock = cx.clock();
        let start = clock.now();
        // Without a timeout of the wait, the deadline of the method applies, or the default if the method has none.
        let timeout = self.timeout.or_else(|| cx.deadline().is_none().then_some(DEFAULT_TIMEOUT));
        let end = timeout.and_then(|it| start.checked_add(it));
        let mut before = None;
        cx.context().set_wait_description(Some(goal.to_owned()));
        let (mut in_target, mut not_found, mut pauses) = (0, 0, 0);
        let mut pause = self.delay;
        loop {
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(clock.now()));
            if !pause.is_zero() {
                cx.sleep(pause.min(left)).await?;
            }
            let waited = || format_duration(rounded(clock.now() - start));
            let failed_with = |kind, summary, detail: &str| {
                cx.context().set_wait_description(None);
                Err(Diagnostic::error(summary).detail(sentence(detail)).of_kind(kind).into())
            };
            let failed = |kind, summary, reason: String| {
                failed_with(kind, summary, &format!("waited {} for {goal}, but {reason}", waited()))
            };
            // The last poll, at the end of the timeout, has a timeout of its own.
            let poll_end = end.map(|it| if is_over(end, clock.now()) { it + LAST_POLL } else { it });
            let ended = async {
                match poll_end {
                    None => cx.context().wait_for_interruption().await,
                    Some(at) => {
                        run_until(cx.context().wait_for_interruption(), clock.wait_until(at)).await;
                    }
                }
            };
            let seen = match run_until(poll(), ended).await {
                Some(seen) => seen.inspect_err(|_| cx.context().set_wait_description(None))?,
                None if cx.is_cancelled() => return Err(cx.interrupted()),
                None => {
                    let was = before.map(|it| format!("it was last {it}, and ")).unwrap_or_default();
                    return failed(
                        DiagnosticKind::WaitTimedOut,
                        "Timeout While Waiting",
                        format!("{was}the last poll has not finished"),
                    );
                }
            };
            let last = match &seen {
                Some((state, _)) => format!("{state:?}"),
                None => "not found".to_owned(),
            };
            let (phase, value) = match seen {
                None if gone => (Phase::Target, None),
                None => {
                    not_found += 1;
                    if not_found > self.max_not_found {
                        return failed(
                            DiagnosticKind::NotFound,
                            "Object Not Found",
                            format!("it was not found in {not_found} consecutive polls"),
                        );
                    }
                    (Phase::Pending, None)
                }
                Some((state, value)) => {
                    not_found = 0;
                    let otherwise = if self.pending.is_empty() { Phase::Pending } else { Phase::Failed };
                    ((self.phase)(&state).unwrap_or(otherwise), Some(value))
                }
            };
            match phase {
                Phase::Target => {
                    in_target += 1;
                    if in_target >= self.consecutive {
                        cx.context().set_wait_description(None);
                        return Ok(value);
                    }
                }
                Phase::Pending => in_target = 0,
                Phase::Failed => {
                    let target = if gone { &["gone".to_owned()][..] } else { &self.target };
                    let expected = list(&[&self.pending, target].concat());
                    let after = Some(waited()).filter(|_| clock.now() > start);
                    let after = after.map(|it| format!(" after {it}")).unwrap_or_default();
                    let detail =
                        format!("{} is in the state {last}{after}, but {expected} was expected", self.object);
                    return failed_with(DiagnosticKind::UnexpectedState, "Unexpected State", &detail);
                }
            }
            if is_over(end, clock.now()) {
                return failed(
                    DiagnosticKind::WaitTimedOut,
                    "Timeout While Waiting",
                    format!("it is still {last}"),
                );
            }
            cx.context().set_wait_description(Some(format!("{goal} (last state: {last})")));
            before = Some(last);
            pause = self.backoff.pause(pauses, clock);
            pauses += 1;
        }
    }
}

fn is_over(end: Option<Instant>, now: Instant) -> bool {
    end.is_some_and(|it| it <= now)
}

/// Rounds to a precision that is useful in messages.
pub(super) fn rounded(duration: Duration) -> Duration {
    let unit = if duration < Duration::from_secs(1) { 1 } else { 100 };
    Duration::from_millis(u64::try_from(duration.as_millis() / unit * unit).unwrap_or(u64::MAX))
}

fn names<S: Debug>(states: &[S]) -> impl Iterator<Item = String> {
    states.iter().map(|it| format!("{it:?}"))
}

fn list(all: &[String]) -> String {
    all.join(" or ")
}
