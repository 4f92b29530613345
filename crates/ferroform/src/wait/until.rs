//! The waiter.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use super::Pace;
use crate::model::timeouts::{DEFAULT_TIMEOUT, format_duration};
use crate::{Call, Diagnostic, Result};
use ferroform_engine::concurrency::run_until::run_until;
use ferroform_engine::diagnostic_kind::DiagnosticKind;

/// Go's, so that a provider that is ported asks its service as often as before.
const PACE: Pace = Pace::growing(Duration::from_millis(100), Duration::from_secs(10));
const NOT_FOUND: u32 = 20;

/// How long the look that is taken when the time is over may take.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// What a state means to who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It goes on.
    Pending,
    /// That is what was waited for.
    Target,
    /// That will not come any more.
    Failed,
}

type Judge<S> = Box<dyn Fn(&S) -> Option<Phase> + Send + Sync>;

/// Waits until something has reached a state. `S` is what its state is told by: a text, an enum, or anything that
/// [`judge`](Wait::judge) can judge.
pub struct Wait<S> {
    what: String,
    judge: Judge<S>,
    pending: Vec<String>,
    target: Vec<String>,
    delay: Duration,
    pace: Pace,
    timeout: Option<Duration>,
    not_found: u32,
    continuous: u32,
}

impl<S: Debug> Wait<S> {
    /// Waits for this: "the server".
    pub fn new(what: impl Into<String>) -> Wait<S> {
        Wait {
            what: what.into(),
            judge: Box::new(|_| None),
            pending: Vec::new(),
            target: Vec::new(),
            delay: Duration::ZERO,
            pace: PACE,
            timeout: None,
            not_found: NOT_FOUND,
            continuous: 1,
        }
    }

    /// The states on the way. Where none are named, every state that is not a target is on the way.
    #[must_use]
    pub fn pending(mut self, states: impl IntoIterator<Item = S>) -> Wait<S>
    where
        S: PartialEq + Send + Sync + 'static,
    {
        let states: Vec<S> = states.into_iter().collect();
        self.pending.extend(texts(&states));
        self.or(states, Phase::Pending)
    }

    /// The states that are waited for.
    #[must_use]
    pub fn target(mut self, states: impl IntoIterator<Item = S>) -> Wait<S>
    where
        S: PartialEq + Send + Sync + 'static,
    {
        let states: Vec<S> = states.into_iter().collect();
        self.target.extend(texts(&states));
        self.or(states, Phase::Target)
    }

    fn or(mut self, states: Vec<S>, phase: Phase) -> Wait<S>
    where
        S: PartialEq + Send + Sync + 'static,
    {
        let before = self.judge;
        self.judge = Box::new(move |state| before(state).or_else(|| states.contains(state).then_some(phase)));
        self
    }

    /// Says by code what a state means; `target` is the name of what is waited for, in errors.
    #[must_use]
    pub fn judge(
        mut self,
        target: impl Into<String>,
        judge: impl Fn(&S) -> Phase + Send + Sync + 'static,
    ) -> Wait<S> {
        self.judge = Box::new(move |state| Some(judge(state)));
        self.target = vec![target.into()];
        self
    }

    /// Asks for the first time after so long; at once without it.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Wait<S> {
        self.delay = delay;
        self
    }

    /// How often it asks: 0.1 seconds after the first time, then twice as long up to 10 seconds, where nothing else
    /// is said.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Wait<S> {
        self.pace = pace;
        self
    }

    /// Waits at most so long. The method's [deadline](crate::RequestContext::deadline) holds too. Without a word it is that alone, or
    /// where the method has none, 20 minutes, as operations have in SDKv2.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Wait<S> {
        self.timeout = Some(timeout);
        self
    }

    /// How often in a row it may not be there: a service may not know at once what it has just made. 20 times, where
    /// nothing else is said.
    #[must_use]
    pub fn not_found_at_most(mut self, times: u32) -> Wait<S> {
        self.not_found = times;
        self
    }

    /// How often in a row it must be in a target state. Once, where nothing else is said.
    #[must_use]
    pub fn continuous(mut self, times: u32) -> Wait<S> {
        self.continuous = times;
        self
    }

    /// Waits, and answers what `poll` last answered. `poll` looks: it answers the state and what else it has seen,
    /// or none where there is nothing. A look that is under way when the waiting ends is given up; it looks once more
    /// at the end of its [time](Wait::timeout), for at most 10 seconds.
    ///
    /// # Errors
    ///
    /// What `poll` answers, and where another state comes, the time is over, it is not there too often, or the user
    /// asks to stop.
    pub async fn run<T, F, Fut>(self, cx: &Call, poll: F) -> Result<T>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<Option<(S, T)>>>,
    {
        let goal = format!("{} to become {}", self.what, list(&self.target));
        let found = self.until(cx, &goal, false, poll).await?;
        // Only who waits for an end gets nothing.
        found.ok_or_else(|| Diagnostic::error("Not found").of_kind(DiagnosticKind::NotFound).into())
    }

    /// Waits until it is not there any more, or in a target state where some are named. It may be in the pending
    /// states until then, or where none are named in any.
    ///
    /// # Errors
    ///
    /// As [`run`](Wait::run).
    pub async fn run_until_gone<T, F, Fut>(self, cx: &Call, poll: F) -> Result<()>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<Option<(S, T)>>>,
    {
        let goal = format!("{} to be gone", self.what);
        self.until(cx, &goal, true, poll).await.map(drop)
    }

    /// The value in the target state; with `gone`, none where there is none.
    async fn until<T, F, Fut>(self, cx: &Call, goal: &str, gone: bool, mut poll: F) -> Result<Option<T>>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<Option<(S, T)>>>,
    {
        let clock = cx.clock();
        let start = clock.now();
        // Where the method has its own limit, who wants to wait longer says so there.
        let timeout = self.timeout.or_else(|| cx.deadline().is_none().then_some(DEFAULT_TIMEOUT));
        let end = timeout.and_then(|it| start.checked_add(it));
        let mut before = None;
        cx.set_wait_description(Some(goal.to_owned()));
        let (mut reached, mut missing, mut pauses) = (0, 0, 0);
        let mut pause = self.delay;
        loop {
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(clock.now()));
            if !pause.is_zero() {
                cx.sleep(pause.min(left)).await?;
            }
            let wrong = |kind, summary, but: String| {
                cx.set_wait_description(None);
                let waited = format_duration(rounded(clock.now() - start));
                let detail = format!("Waited {waited} for {goal}, but {but}.");
                Err(Diagnostic::error(summary).detail(detail).of_kind(kind).into())
            };
            // The look that is taken at the end has a little time of its own.
            let end_of_look = end.map(|it| if is_over(end, clock.now()) { it + LAST_LOOK } else { it });
            let over = async {
                match end_of_look {
                    None => cx.wait_for_interruption().await,
                    Some(at) => drop(run_until(cx.wait_for_interruption(), clock.wait_until(at)).await),
                }
            };
            let seen = match run_until(poll(), over).await {
                Some(seen) => seen.inspect_err(|_| cx.set_wait_description(None))?,
                None if cx.is_cancelled() => return Err(cx.interrupted()),
                None => {
                    let was = before.map(|it| format!("it was last {it}, and ")).unwrap_or_default();
                    return wrong(
                        DiagnosticKind::WaitTimedOut,
                        "Timed out",
                        format!("{was}the last look has not ended"),
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
                    missing += 1;
                    if missing > self.not_found {
                        return wrong(
                            DiagnosticKind::NotFound,
                            "Not found",
                            format!("it was not found {missing} times in a row"),
                        );
                    }
                    (Phase::Pending, None)
                }
                Some((state, value)) => {
                    missing = 0;
                    let otherwise = if self.pending.is_empty() { Phase::Pending } else { Phase::Failed };
                    ((self.judge)(&state).unwrap_or(otherwise), Some(value))
                }
            };
            match phase {
                Phase::Target => {
                    reached += 1;
                    if reached >= self.continuous {
                        cx.set_wait_description(None);
                        return Ok(value);
                    }
                }
                Phase::Pending => reached = 0,
                Phase::Failed => {
                    let expected = match self.pending.as_slice() {
                        [] => String::new(),
                        all => format!("; until then {} was expected", list(all)),
                    };
                    return wrong(
                        DiagnosticKind::UnexpectedState,
                        "Unexpected state",
                        format!("it is {last}{expected}"),
                    );
                }
            }
            if is_over(end, clock.now()) {
                return wrong(DiagnosticKind::WaitTimedOut, "Timed out", format!("it is still {last}"));
            }
            cx.set_wait_description(Some(format!("{goal}, which was last {last}")));
            before = Some(last);
            pause = self.pace.pause(pauses, clock);
            pauses += 1;
        }
    }
}

fn is_over(end: Option<Instant>, now: Instant) -> bool {
    end.is_some_and(|it| it <= now)
}

/// As exact as people want to know it.
pub(super) fn rounded(duration: Duration) -> Duration {
    let unit = if duration < Duration::from_secs(1) { 1 } else { 100 };
    Duration::from_millis(u64::try_from(duration.as_millis() / unit * unit).unwrap_or(u64::MAX))
}

fn texts<S: Debug>(states: &[S]) -> impl Iterator<Item = String> {
    states.iter().map(|it| format!("{it:?}"))
}

fn list(all: &[String]) -> String {
    all.join(" or ")
}
