//! Threads for code that may block: each job has one of its own, which is kept for some seconds and used again.
//!
//! As `tokio::task::spawn_blocking`, but each idle thread is woken by itself. tokio's wait together behind one lock, which
//! the waking thread still holds when they wake: with two such hops, that was a third of what a small call costs.

mod drive;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};
use std::{io, mem};

use tokio::sync::oneshot;
use tracing::dispatcher::{self, Dispatch};
use tracing::subscriber::NoSubscriber;

pub use self::drive::{before_waiting, beside, block_on, drive};

/// How long a thread waits for another job.
const KEPT: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

/// Where a thread that waits finds its job.
struct Seat {
    thread: Thread,
    job: Mutex<Option<Job>>,
}

/// Runs the job on a thread of its own. It runs to its end, whether or not somebody still waits for the answer.
///
/// # Errors
///
/// Where no thread can be started. The receiver has an error where the job panicked.
pub fn run<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> io::Result<oneshot::Receiver<T>> {
    static THREADS: Threads = Threads { idle: Mutex::new(Vec::new()) };
    THREADS.run(job)
}

/// A number of threads.
struct Threads {
    /// Those that wait for a job, the last one to begin waiting at the end.
    idle: Mutex<Vec<Arc<Seat>>>,
}

impl Threads {
    fn run<T: Send + 'static>(
        &'static self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<oneshot::Receiver<T>> {
        let (sender, receiver) = oneshot::channel();
        // Tests look at the log of their own threads, and this is one of them then.
        let log = dispatcher::get_default(Dispatch::clone);
        let job: Job = Box::new(move || {
            let answer = if log.is::<NoSubscriber>() { job() } else { dispatcher::with_default(&log, job) };
            // Without a listener there is nobody to tell.
            let _ = sender.send(answer);
        });
        let idle = lock(&self.idle).pop();
        match idle {
            Some(seat) => {
                *lock(&seat.job) = Some(job);
                seat.thread.unpark();
            }
            None => drop(thread::Builder::new().name("provider".into()).spawn(move || self.serve(job))?),
        }
        Ok(receiver)
    }

    /// What a thread does: its first job, and those that come in time.
    fn serve(&self, first: Job) {
        first();
        let seat = Arc::new(Seat { thread: thread::current(), job: Mutex::default() });
        loop {
            lock(&self.idle).push(seat.clone());
            match self.next(&seat) {
                Some(job) => job(),
                None => return,
            }
        }
    }

    /// The next job; none where none came in time.
    fn next(&self, seat: &Arc<Seat>) -> Option<Job> {
        let end = Instant::now() + KEPT;
        loop {
            if let Some(job) = mem::take(&mut *lock(&seat.job)) {
                return Some(job);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let mut idle = lock(&self.idle);
                let Some(at) = idle.iter().position(|it| Arc::ptr_eq(it, seat)) else {
                    // Somebody has just chosen this one.
                    drop(idle);
                    thread::park();
                    continue;
                };
                idle.remove(at);
                return None;
            }
            thread::park_timeout(left);
        }
    }
}

/// What another thread left half-done is a vector or an option: whole in any case.
pub fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn id() -> thread::ThreadId {
        thread::current().id()
    }

    #[test]
    fn each_job_has_a_thread_that_is_used_again() {
        static THREADS: Threads = Threads { idle: Mutex::new(Vec::new()) };
        let here = || THREADS.run(id).unwrap().blocking_recv().unwrap();
        let first = here();
        assert_ne!(first, id());
        let again = || {
            // It answers before it waits for the next.
            while lock(&THREADS.idle).is_empty() {
                thread::yield_now();
            }
            here()
        };
        assert!((0..100).all(|_| again() == first));

        let (ready, wait) = mpsc::channel();
        let blocked = THREADS.run(move || wait.recv().map(|()| id())).unwrap();
        let other = here();
        ready.send(()).unwrap();
        assert_ne!(blocked.blocking_recv().unwrap().unwrap(), other);

        let ends = THREADS.run(|| panic!("on its own account")).unwrap();
        ends.blocking_recv().unwrap_err();
        assert_ne!(here(), id());
    }
}
