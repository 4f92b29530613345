//! The clock of requests. In tests, a simulated clock on which every wait ends at once.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};

use tokio::runtime::Handle;
use tokio::time::Sleep;

/// The clock of a request, [`cx.clock()`](crate::RequestContext::clock): the real clock, or a simulated one in tests.
///
/// On a [test clock](Clock::test), time does not pass while code runs. When all tasks sleep, the clock advances to the
/// end of the first sleep at once. Sleeps and deadlines end in the order of their end times. Sleeps of other clocks,
/// such as tokio's, and blocked threads take no time on it.
///
/// ```
/// use std::time::Duration;
/// use ferroform::Clock;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let clock = Clock::test();
/// clock.sleep(Duration::from_secs(3600)).await; // ends at once
/// assert_eq!(clock.elapsed(), Duration::from_secs(3600));
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    test: Option<Arc<Mutex<TestClock>>>,
    /// The runtime of the timers; `None` for the runtime of the calling code.
    runtime: Option<Handle>,
}

/// The real clock.
impl Default for Clock {
    fn default() -> Clock {
        Clock { start: Instant::now(), test: None, runtime: None }
    }
}

impl Clock {
    /// A clock for tests. Clones share the time. Random numbers are the same for each new clock.
    pub fn test() -> Clock {
        Clock { test: Some(Arc::default()), ..Clock::default() }
    }

    /// The same clock with its timers in this runtime.
    pub(crate) fn with_runtime(self, runtime: Handle) -> Clock {
        Clock { runtime: Some(runtime), ..self }
    }

    /// The current time.
    pub fn now(&self) -> Instant {
        match &self.test {
            Some(test) => self.start + lock(test).passed,
            None => Instant::now(),
        }
    }

    /// The date and time. On a test clock, it starts at 2025-01-01T00:00:00Z and passes only as the clock advances, so that
    /// a method that computes with it has the same result in every run of a test.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use ferroform::Clock;
    ///
    /// let clock = Clock::test();
    /// let start = clock.system_time();
    /// clock.advance(Duration::from_secs(3600));
    /// assert_eq!(clock.system_time(), start + Duration::from_secs(3600));
    /// clock.set_system_time(SystemTime::UNIX_EPOCH);
    /// assert_eq!(clock.system_time(), SystemTime::UNIX_EPOCH);
    /// ```
    pub fn system_time(&self) -> SystemTime {
        match &self.test {
            Some(test) => {
                let test = lock(test);
                test.system_start.unwrap_or(SystemTime::UNIX_EPOCH + TEST_START) + test.passed
            }
            None => SystemTime::now(),
        }
    }

    /// Advances a test clock, as a sleep does: sleeps and deadlines within this time end. Has no effect on the real clock.
    pub fn advance(&self, duration: Duration) {
        if let Some(test) = &self.test {
            let mut test = lock(test);
            let passed = test.passed.saturating_add(duration).min(END);
            test.advance_to(passed);
        }
    }

    /// Sets the date and time of a test clock. Sleeps and deadlines are not affected. Has no effect on the real clock.
    pub fn set_system_time(&self, time: SystemTime) {
        if let Some(test) = &self.test {
            let mut test = lock(test);
            test.system_start = time.checked_sub(test.passed);
        }
    }

    /// The time since the clock was created, as measured by this clock.
    pub fn elapsed(&self) -> Duration {
        self.now() - self.start
    }

    /// Sleeps. Methods of a provider use [`cx.sleep`](crate::RequestContext::sleep) instead, which also ends on
    /// cancellation and at the deadline.
    pub async fn sleep(&self, duration: Duration) {
        match &self.test {
            Some(test) => self.test_wait(test, duration, true).await,
            None => self.timer(duration).await,
        }
    }

    /// Waits until that time without advancing a test clock: it ends only if other tasks sleep that long.
    pub async fn wait_until(&self, when: Instant) {
        match &self.test {
            Some(test) => self.test_wait(test, when.saturating_duration_since(self.now()), false).await,
            None => self.timer(when.saturating_duration_since(Instant::now())).await,
        }
    }

    /// A timer in real time, also on a test clock.
    pub(crate) fn timer(&self, duration: Duration) -> Sleep {
        // A timer belongs to the runtime in which it is created.
        let _within = self.runtime.as_ref().map(Handle::enter);
        tokio::time::sleep(duration)
    }

    /// True while a task sleeps on a test clock. A suspended task that does not sleep waits for something else, such as a response.
    ///
    /// ```
    /// use std::future::poll_fn;
    /// use std::pin::pin;
    /// use std::task::Poll;
    /// use std::time::Duration;
    ///
    /// use ferroform::Clock;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let clock = Clock::test();
    /// let mut sleep = pin!(clock.sleep(Duration::from_secs(5)));
    /// assert!(!clock.has_sleepers());
    /// // The sleep begins when it is polled.
    /// let first = poll_fn(|cx| Poll::Ready(sleep.as_mut().poll(cx))).await;
    /// assert!(first.is_pending() && clock.has_sleepers());
    /// # });
    /// ```
    pub fn has_sleepers(&self) -> bool {
        self.test.as_ref().is_some_and(|it| lock(it).waiting.values().any(|it| it.advances))
    }

    fn test_wait(&self, test: &Arc<Mutex<TestClock>>, duration: Duration, advances: bool) -> TestWait {
        let at = lock(test).passed.saturating_add(duration).min(END);
        TestWait { test: test.clone(), at, advances, id: None }
    }

    /// A random number in the range `0.0..1.0`.
    pub fn random(&self) -> f64 {
        let random = match &self.test {
            Some(test) => lock(test).random(),
            // Each `RandomState` has different keys.
            None => RandomState::new().hash_one(()),
        };
        (random >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The maximum time of a test clock, more than a hundred years. It prevents overflows of times that are computed from
/// it.
const END: Duration = Duration::from_secs(u32::MAX as u64);

/// The system time at which a test clock starts, 2025-01-01T00:00:00Z.
const TEST_START: Duration = Duration::from_secs(1_735_689_600);

/// The state of a test clock. Times are measured from its start.
#[derive(Debug, Default)]
struct TestClock {
    passed: Duration,
    ids: u64,
    waiting: BTreeMap<u64, Waiting>,
    /// The real time at which it advanced last.
    advanced_at: Option<Instant>,
    seed: u64,
    /// The system time of its start, if a test has set it.
    system_start: Option<SystemTime>,
}

/// A task that waits.
#[derive(Debug)]
struct Waiting {
    at: Duration,
    /// True for a sleep, which advances the clock.
    advances: bool,
    waker: Waker,
}

/// How long, in real time, the clock waits for tasks whose sleep has ended before it advances again. A task that no
/// longer polls its sleep must not block the others.
const WAKE_TIME: Duration = Duration::from_millis(5);

impl TestClock {
    /// Advances to the end of the next sleep, once all tasks whose sleep has ended have polled it.
    fn advance(&mut self) {
        let all_polled = self.waiting.values().all(|it| it.at > self.passed);
        if !all_polled && self.advanced_at.is_some_and(|it| it.elapsed() < WAKE_TIME) {
            return;
        }
        self.advanced_at = Some(Instant::now());
        let next = self.waiting.values().map(|it| it.at).filter(|at| *at > self.passed).min();
        self.advance_to(next.unwrap_or(self.passed));
    }

    /// Sets the time, and wakes the tasks whose sleep ends.
    fn advance_to(&mut self, passed: Duration) {
        self.passed = passed;
        for waiting in self.waiting.values().filter(|it| it.at <= self.passed) {
            waiting.waker.wake_by_ref();
        }
    }

    /// The next random number of the generator SplitMix64.
    fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.seed ^ (self.seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// A wait on a test clock.
struct TestWait {
    test: Arc<Mutex<TestClock>>,
    at: Duration,
    /// True for a sleep, which advances the clock.
    advances: bool,
    id: Option<u64>,
}

impl Future for TestWait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let shared = self.test.clone();
        let mut test = lock(&shared);
        // The first poll only registers the wait, so that other tasks can register theirs before the clock advances.
        if let Some(id) = self.id {
            if self.advances && test.passed < self.at {
                test.advance();
            }
            test.waiting.remove(&id);
        }
        if test.passed >= self.at {
            return Poll::Ready(());
        }
        test.ids += 1;
        let id = *self.id.get_or_insert(test.ids);
        let waiting = Waiting { at: self.at, advances: self.advances, waker: context.waker().clone() };
        test.waiting.insert(id, waiting);
        if self.advances {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

impl Drop for TestWait {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            lock(&self.test).waiting.remove(&id);
        }
    }
}

fn lock(test: &Mutex<TestClock>) -> MutexGuard<'_, TestClock> {
    // Every change is a single assignment, so a panic leaves consistent data.
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
    fn sleeps_end_in_order() {
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
    }

    #[test]
    fn advance_ends_sleeps_and_moves_the_system_time() {
        run(async {
            let clock = Clock::test();
            let start = clock.system_time();
            assert_eq!(start, SystemTime::UNIX_EPOCH + TEST_START);
            let mut wait = std::pin::pin!(clock.wait_until(clock.now() + SECOND * 90));
            let short = Duration::from_millis(20);
            assert!(tokio::time::timeout(short, wait.as_mut()).await.is_err());
            clock.advance(SECOND * 60);
            assert!(tokio::time::timeout(short, wait.as_mut()).await.is_err());
            clock.advance(SECOND * 60);
            wait.await;
            clock.sleep(SECOND * 5).await;
            assert_eq!(clock.system_time(), start + SECOND * 125);
            clock.set_system_time(start);
            assert_eq!((clock.system_time(), clock.elapsed()), (start, SECOND * 125));
            Clock::default().advance(SECOND * 3600);
        });
    }

    #[test]
    fn wait_until_does_not_advance_the_clock() {
        run(async {
            let clock = Clock::test();
            let wait = clock.wait_until(clock.now() + SECOND);
            assert!(tokio::time::timeout(Duration::from_millis(20), wait).await.is_err());
            assert_eq!(clock.elapsed(), Duration::ZERO);
        });
    }

    #[test]
    fn clock_does_not_advance_beyond_its_maximum() {
        run(async {
            let clock = Clock::test();
            clock.sleep(Duration::MAX).await;
            clock.sleep(SECOND).await;
            assert_eq!(clock.now() - clock.start, END);
        });
    }

    #[test]
    fn dropped_sleep_does_not_advance_the_clock() {
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
    fn random_numbers_are_below_one_and_repeatable_on_test_clocks() {
        let numbers = |clock: Clock| (0..100).map(|_| clock.random()).collect::<Vec<_>>();
        let (real, test) = (numbers(Clock::default()), numbers(Clock::test()));
        for all in [&real, &test] {
            assert!(all.iter().all(|it| (0.0..1.0).contains(it)), "{all:?}");
            assert!(all.iter().any(|it| *it < 0.2) && all.iter().any(|it| *it > 0.8), "{all:?}");
        }
        assert_eq!(test, numbers(Clock::test()));
        assert_ne!(real, numbers(Clock::default()));
    }
}
