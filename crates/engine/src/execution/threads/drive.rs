//! A future that one thread drives to its end, doing by itself the jobs that the future waits for.
//!
//! To hand a job to another thread costs more than most jobs: two threads have to wake up. So the thread that drives
//! the future does the job while the future rests, and comes back with the answer. Until then the future belongs to nobody:
//! whatever else wakes it (a time that is over, the host's Stop) has it driven on by another thread, so that it can give up
//! a job that does not end.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{lock, run};

type Job = Box<dyn FnOnce(&Drive)>;

/// Where a future that is being polled leaves a job for the thread that polls it.
enum Slot {
    /// This thread drives none, or not here.
    Closed,
    Open,
    Taken(Job),
}

thread_local! {
    static SLOT: Cell<Slot> = const { Cell::new(Slot::Closed) };
    /// What is called before this thread waits for something, once.
    static WAITS: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

struct Drive {
    home: Thread,
    runtime: Handle,
    /// None when it has ended.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    woken: bool,
    polling: bool,
    /// The thread at home does a job.
    away: bool,
    done: bool,
}

enum Next {
    Poll,
    /// Do the job that has been left.
    Leave,
    Wait,
    Done,
}

/// Drives the future to its end on this thread, or on others where this one is held up by a job of [`beside`].
///
/// Without a thread to spare for the latter, the future goes on when the job is done.
pub fn drive(runtime: &Handle, future: impl Future<Output = ()> + Send + 'static) {
    let drive = Arc::new(Drive {
        home: thread::current(),
        runtime: runtime.clone(),
        future: Mutex::new(Some(Box::pin(future))),
        state: Mutex::new(State { woken: true, ..State::default() }),
    });
    let mut job = None;
    loop {
        match drive.next(job.is_some()) {
            Next::Done => return,
            Next::Poll => {
                SLOT.set(if job.is_none() { Slot::Open } else { Slot::Closed });
                drive.poll();
                if let Slot::Taken(new) = SLOT.replace(Slot::Closed) {
                    job = Some(new);
                }
            }
            Next::Leave => {
                if let Some(job) = job.take() {
                    // Where it panics, its answer is gone, which the future sees.
                    let _ = catch_unwind(AssertUnwindSafe(|| job(&drive)));
                }
                drive.back();
            }
            Next::Wait => {
                waits();
                thread::park();
            }
        }
    }
}

/// Runs the job beside the future that asks for it, by the thread that drives it where that can, else as [`run`].
///
/// # Errors
///
/// Where no thread can be started. The receiver has an error where the job panicked.
pub fn beside<T: Send + 'static>(
    job: impl FnOnce() -> T + Send + 'static,
) -> io::Result<oneshot::Receiver<T>> {
    let slot = SLOT.replace(Slot::Closed);
    if !matches!(slot, Slot::Open) {
        SLOT.set(slot);
        return run(job);
    }
    let (sender, receiver) = oneshot::channel();
    SLOT.set(Slot::Taken(Box::new(move |drive| {
        let answer = job();
        drive.back();
        // Without a listener there is nobody to tell.
        let _ = sender.send(answer);
    })));
    Ok(receiver)
}

/// Runs the future to its end on this thread.
pub fn block_on<T>(runtime: &Handle, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    runtime.block_on(poll_fn(|context| {
        let polled = future.as_mut().poll(context);
        if polled.is_pending() {
            waits();
        }
        polled
    }))
}

/// Does the work, and calls the function before this thread first waits in [`drive`] or [`block_on`].
pub fn before_waiting(call: impl FnOnce() + 'static, work: impl FnOnce()) {
    WAITS.set(Some(Box::new(call)));
    work();
    WAITS.set(None);
}

fn waits() {
    if let Some(call) = WAITS.take() {
        call();
    }
}

impl Drive {
    /// What the thread at home does next.
    fn next(&self, job: bool) -> Next {
        let mut state = lock(&self.state);
        if state.done {
            Next::Done
        } else if state.polling {
            Next::Wait
        } else if state.woken {
            state.polling = true;
            state.woken = false;
            Next::Poll
        } else if job {
            state.away = true;
            Next::Leave
        } else {
            Next::Wait
        }
    }

    fn back(&self) {
        lock(&self.state).away = false;
    }

    /// Polls until there is nothing to do. Whoever calls it has set `polling`.
    fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut context = Context::from_waker(&waker);
        let mut future = lock(&self.future);
        loop {
            let polled = catch_unwind(AssertUnwindSafe(|| {
                let _within = self.runtime.enter();
                future.as_mut().map_or(Poll::Ready(()), |it| it.as_mut().poll(&mut context))
            }));
            let ended = !matches!(polled, Ok(Poll::Pending));
            if ended {
                *future = None;
            }
            let mut state = lock(&self.state);
            if !ended && state.woken {
                state.woken = false;
                continue;
            }
            state.done = ended;
            state.polling = false;
            drop(state);
            if ended {
                self.home.unpark();
            }
            return;
        }
    }
}

impl Wake for Drive {
    fn wake(self: Arc<Self>) {
        let mut state = lock(&self.state);
        state.woken = true;
        if state.polling || state.done {
            return;
        }
        if !state.away {
            drop(state);
            return self.home.unpark();
        }
        (state.polling, state.woken) = (true, false);
        drop(state);
        let drive = Arc::clone(&self);
        if run(move || drive.poll()).is_err() {
            let mut state = lock(&self.state);
            (state.polling, state.woken) = (false, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::runtime::Builder;

    use super::*;
    use crate::execution::race::first;

    /// Drives the future on a thread of its own; the other end hears of its end.
    fn driven(future: impl Future<Output = ()> + Send + 'static) -> mpsc::Receiver<()> {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().build().unwrap();
            drive(runtime.handle(), future);
            sender.send(()).unwrap();
        });
        receiver
    }

    #[test]
    fn a_job_is_done_by_the_thread_that_drives() {
        let (seen, saw) = mpsc::channel();
        let ended = driven(async move {
            let home = thread::current().id();
            for _ in 0..3 {
                let job = beside(|| thread::current().id()).unwrap();
                // There is one such thread, and it has something to do.
                let other = beside(|| thread::current().id()).unwrap();
                seen.send((home == job.await.unwrap(), home == other.await.unwrap())).unwrap();
            }
        });
        ended.recv().unwrap();
        assert_eq!(saw.iter().collect::<Vec<_>>(), [(true, false); 3]);
    }

    #[test]
    fn a_job_that_does_not_end_is_given_up() {
        let (go_on, blocked) = mpsc::channel::<()>();
        let (begun, beginning) = mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let (gave, given_up) = mpsc::channel();
        let ended = driven(async move {
            let job = beside(move || {
                begun.send(()).unwrap();
                blocked.recv()
            });
            let stopped = async { stopped.await.unwrap() };
            gave.send(first(job.unwrap(), stopped).await.is_none()).unwrap();
        });
        beginning.recv().unwrap();
        stop.send(()).unwrap();
        assert!(given_up.recv().unwrap());
        ended.try_recv().unwrap_err();
        go_on.send(()).unwrap();
        ended.recv().unwrap();
    }

    #[test]
    fn what_wakes_it_during_a_job_is_no_end() {
        let (first, second) = (Arc::new(tokio::sync::Notify::new()), Arc::new(tokio::sync::Notify::new()));
        let (heard, hears) = (Arc::clone(&first), Arc::clone(&second));
        let ended = driven(async move {
            let job = beside(move || {
                first.notify_one();
                second.notify_one();
                1
            });
            let (job, notified) = (job.unwrap(), async {
                heard.notified().await;
                hears.notified().await;
            });
            notified.await;
            assert_eq!(job.await.unwrap(), 1);
        });
        ended.recv().unwrap();
    }

    #[test]
    fn a_panic_in_a_job_is_an_answer_that_does_not_come() {
        let ended = driven(async {
            let job = beside(|| panic!("on its own account"));
            job.unwrap().await.unwrap_err();
            assert_eq!(beside(|| 1).unwrap().await.unwrap(), 1);
        });
        ended.recv().unwrap();
    }

    #[test]
    fn one_hears_before_the_first_wait() {
        let runtime = Builder::new_current_thread().build().unwrap();
        let (said, heard) = mpsc::channel();
        let (now, then) = (said.clone(), said);
        before_waiting(
            move || now.send("waits").unwrap(),
            || {
                block_on(runtime.handle(), async { then.send("begins").unwrap() });
                block_on(runtime.handle(), tokio::task::yield_now());
                block_on(runtime.handle(), tokio::task::yield_now());
                then.send("ends").unwrap();
            },
        );
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), ["begins", "waits", "ends"]);
        before_waiting(|| panic!("not waited"), || {});
        block_on(runtime.handle(), tokio::task::yield_now());
    }
}
