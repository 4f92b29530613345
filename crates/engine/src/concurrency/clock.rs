//! The time, as a provider's code reads and spends it; in tests one in which every wait is over at once.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::time::Sleep;

/// The time of a call, [`cx.clock()`](crate::RequestContext::clock): the real one, or in tests one that nobody has to wait
/// for.
///
/// On a [test clock](Clock::test) the time stands still while code runs. Where code sleeps, the clock goes to the
/// end of the sleep at once; several sleeps end in the order of their ends, and a deadline in between comes in
/// between. Sleeps of other clocks, such as tokio's, and blocked threads, take no time on it.
///
/// ```
/// use std::time::Duration;
/// use ferroform::Clock;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let clock = Clock::test();
/// clock.sleep(Duration::from_secs(3600)).await; // done at once
/// assert_eq!(clock.elapsed(), Duration::from_secs(3600));
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    test: Option<Arc<Mutex<Test>>>,
    /// The runtime of the real clock's timers, where it is not the one that the code runs in.
    runtime: Option<Handle>,
}

/// The real clock.
impl Default for Clock {
    fn default() -> Clock {
        Clock { start: Instant::now(), test: None, runtime: None }
    }
}

impl Clock {
    /// A clock for tests. Clones are the same clock. What is random is the same on each such clock.
    pub fn test() -> Clock {
        Clock { test: Some(Arc::default()), ..Clock::default() }
    }

    /// The same clock with its timers in that runtime.
    pub(crate) fn with_runtime(self, runtime: Handle) -> Clock {
        Clock { runtime: Some(runtime), ..self }
    }

    /// The time now.
    pub fn now(&self) -> Instant {
        match &self.test {
            Some(test) => self.start + lock(test).passed,
            None => Instant::now(),
        }
    }

    /// How long the clock has existed, by its own time.
    pub fn elapsed(&self) -> Duration {
        self.now() - self.start
    }

    /// Waits that long. A method of a provider rather waits with [`cx.sleep`](crate::RequestContext::sleep), which Ctrl-C and
    /// the deadline end.
    pub async fn sleep(&self, duration: Duration) {
        match &self.test {
            Some(test) => self.until(test, duration, true).await,
            None => self.timer(duration).await,
        }
    }

    /// Waits for a time that comes by itself: on a test clock only if others sleep that long.
    pub async fn wait_until(&self, when: Instant) {
        match &self.test {
            Some(test) => self.until(test, when.saturating_duration_since(self.now()), false).await,
            None => self.timer(when.saturating_duration_since(Instant::now())).await,
        }
    }

    /// Waits that long in real time, also on a test clock.
    pub(crate) fn timer(&self, duration: Duration) -> Sleep {
        // A timer belongs to the runtime in which it is created.
        let _within = self.runtime.as_ref().map(Handle::enter);
        tokio::time::sleep(duration)
    }

    fn until(&self, test: &Arc<Mutex<Test>>, duration: Duration, moves: bool) -> Until {
        let at = lock(test).passed.saturating_add(duration).min(END);
        Until { test: test.clone(), at, moves, id: None }
    }

    /// A random number from 0 to 1.
    pub fn random(&self) -> f64 {
        let random = match &self.test {
            Some(test) => lock(test).random(),
            // Each has keys of its own.
            None => RandomState::new().hash_one(()),
        };
        (random >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A test clock goes no further, for other times are made of it: more than a hundred years.
const END: Duration = Duration::from_secs(u32::MAX as u64);

/// The state of a test clock. Times are counted from its start.
#[derive(Debug, Default)]
struct Test {
    passed: Duration,
    ids: u64,
    waiting: BTreeMap<u64, (Duration, Waker)>,
    /// When, in real time, it went on for the last time.
    went_on: Option<Instant>,
    seed: u64,
}

/// How long those whose time has come have, in real time, to go on with their work before others move the time
/// further. Who does not look at its wait any more must not hold up all others.
const PATIENCE: Duration = Duration::from_millis(5);

impl Test {
    /// Goes to the next time that somebody waits for, once all whose time has come know it.
    fn go_on(&mut self) {
        let all_know = self.waiting.values().all(|(at, _)| *at > self.passed);
        if !all_know && self.went_on.is_some_and(|it| it.elapsed() < PATIENCE) {
            return;
        }
        self.went_on = Some(Instant::now());
        let next = self.waiting.values().map(|(at, _)| *at).filter(|at| *at > self.passed).min();
        self.passed = next.unwrap_or(self.passed);
        for (_, waker) in self.waiting.values().filter(|(at, _)| *at <= self.passed) {
            waker.wake_by_ref();
        }
    }

    /// The generator SplitMix64.
    fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.seed ^ (self.seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// A wait on a test clock.
struct Until {
    test: Arc<Mutex<Test>>,
    at: Duration,
    /// True where the time goes on because of it.
    moves: bool,
    id: Option<u64>,
}

impl Future for Until {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let shared = self.test.clone();
        let mut test = lock(&shared);
        // At first it only says what it waits for, so that what waits beside it can do the same.
        if let Some(id) = self.id {
            if self.moves && test.passed < self.at {
                test.go_on();
            }
            test.waiting.remove(&id);
        }
        if test.passed >= self.at {
            return Poll::Ready(());
        }
        test.ids += 1;
        let id = *self.id.get_or_insert(test.ids);
        test.waiting.insert(id, (self.at, context.waker().clone()));
        if self.moves {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

impl Drop for Until {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            lock(&self.test).waiting.remove(&id);
        }
    }
}

fn lock(test: &Mutex<Test>) -> MutexGuard<'_, Test> {
    // Whole at any time.
    test.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concurrency::run_until::run_until;

    const SECOND: Duration = Duration::from_secs(1);

    fn run(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    #[test]
    fn sleeps_end_in_their_order_and_take_no_time() {
        let start = Instant::now();
        run(async {
            let (clock, log) = (Clock::test(), Arc::<Mutex<Vec<_>>>::default());
            let waits = [(true, vec![90]), (false, vec![100]), (true, vec![60, 60]), (true, vec![120, 30])];
            let tasks = waits.map(|(sleeps, seconds)| {
                let (clock, log) = (clock.clone(), log.clone());
                tokio::spawn(async move {
                    for seconds in seconds {
                        match sleeps {
                            true => clock.sleep(SECOND * seconds).await,
                            false => clock.wait_until(clock.now() + SECOND * seconds).await,
                        }
                        log.lock().unwrap().push(clock.elapsed().as_secs());
                    }
                })
            });
            for task in tasks {
                task.await.unwrap();
            }
            assert_eq!(*log.lock().unwrap(), [60, 90, 100, 120, 120, 150]);
        });
        assert!(start.elapsed() < SECOND);
    }

    #[test]
    fn what_is_only_awaited_does_not_move_the_time() {
        run(async {
            let clock = Clock::test();
            let comes = clock.wait_until(clock.now() + SECOND);
            assert!(tokio::time::timeout(Duration::from_millis(20), comes).await.is_err());
            assert_eq!(clock.elapsed(), Duration::ZERO);
        });
    }

    #[test]
    fn for_ever_has_an_end() {
        run(async {
            let clock = Clock::test();
            clock.sleep(Duration::MAX).await;
            clock.sleep(SECOND).await;
            assert_eq!(clock.now() - clock.start, END);
        });
    }

    #[test]
    fn a_sleep_that_is_given_up_is_forgotten() {
        run(async {
            let clock = Clock::test();
            let ended = run_until(clock.sleep(SECOND * 50), clock.sleep(SECOND * 5)).await;
            assert_eq!(ended, None, "the shorter one ends first");
            assert_eq!(clock.elapsed(), SECOND * 5);
            clock.sleep(SECOND).await;
            assert_eq!(clock.elapsed(), SECOND * 6);
        });
    }

    #[test]
    fn chance_is_between_zero_and_one_and_the_same_in_each_test() {
        let chances = |clock: Clock| (0..100).map(|_| clock.random()).collect::<Vec<_>>();
        let (real, test) = (chances(Clock::default()), chances(Clock::test()));
        for all in [&real, &test] {
            assert!(all.iter().all(|it| (0.0..1.0).contains(it)), "{all:?}");
            assert!(all.iter().any(|it| *it < 0.2) && all.iter().any(|it| *it > 0.8), "{all:?}");
        }
        assert_eq!(test, chances(Clock::test()));
        assert_ne!(real, chances(Clock::default()));
    }
}
