//! Who reads what the host sends, and who answers it: the same thread, while it answers quickly.
//!
//! One thread leads: it drives the connections until a call has come, and then does what the call asks, so that no
//! other has to wake up, which would cost more than most calls. Where that takes longer than [`PATIENCE`], or has to
//! wait for something, another thread leads on. So code that blocks holds up nothing but its call, and the host's Stop
//! always gets through.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::sync::Notify;

use ferroform_engine::execution::threads::{self, lock};

/// How long the connections may wait for the thread that leads.
const PATIENCE: Duration = Duration::from_millis(1);

type Job = Box<dyn FnOnce() + Send>;

/// The connections, and the threads that take turns at them.
pub(super) struct Leadership {
    connections: Runtime,
    state: Mutex<State>,
    arrived: Notify,
    /// The thread that looks whether the leader is held up.
    watch: OnceLock<Thread>,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// Which leader it is. One that has been relieved sees another number.
    turn: u64,
    /// Since when the leader has been at a job.
    busy: Option<Instant>,
    /// The watching thread sleeps until it is woken.
    dozing: bool,
}

impl Leadership {
    pub(super) fn new(connections: Runtime) -> Arc<Self> {
        let (state, arrived, watch) = Default::default();
        Arc::new(Self { connections, state, arrived, watch })
    }

    /// Does the work where sockets of the connections can be opened.
    pub(super) fn within<T>(&self, work: impl FnOnce() -> T) -> T {
        let _within = self.connections.enter();
        work()
    }

    /// Has the job done, once the connections have seen to what has come before it.
    pub(super) fn give(&self, job: Job) {
        lock(&self.state).jobs.push_back(job);
        self.arrived.notify_one();
    }

    /// Serves until the future has ended, which drives the connections; this thread just waits. Calls that are still
    /// running then run on, to the end of the process.
    ///
    /// # Errors
    ///
    /// Where no thread can be started.
    pub(super) fn serve(
        self: Arc<Self>,
        server: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let (end, ended) = mpsc::channel();
        self.connections.spawn(async move {
            server.await;
            // It waits below.
            let _ = end.send(());
        });
        let leader = Arc::clone(&self);
        drop(threads::run(move || leader.lead(0))?);
        // Also where the server has panicked.
        let _ = ended.recv();
        Ok(())
    }

    fn lead(self: Arc<Self>, turn: u64) {
        loop {
            let job = self.connections.block_on(self.next());
            self.begin(turn);
            let waits = Arc::clone(&self);
            threads::before_waiting(move || waits.hand_over(turn), job);
            let mut state = lock(&self.state);
            if state.turn != turn {
                return;
            }
            state.busy = None;
        }
    }

    async fn next(&self) -> Job {
        if !lock(&self.state).jobs.is_empty() {
            // What has been answered goes out first.
            tokio::task::yield_now().await;
        }
        loop {
            if let Some(job) = lock(&self.state).jobs.pop_front() {
                return job;
            }
            self.arrived.notified().await;
        }
    }

    fn begin(self: &Arc<Self>, turn: u64) {
        let mut state = lock(&self.state);
        if !state.jobs.is_empty() || !self.is_watched() {
            drop(state);
            return self.hand_over(turn);
        }
        state.busy = Some(Instant::now());
        if std::mem::take(&mut state.dozing) {
            self.watch.get().map(Thread::unpark).unwrap_or_default();
        }
    }

    /// Has another thread lead, where this one still does. Without a thread to spare it goes on when it is free.
    fn hand_over(self: &Arc<Self>, turn: u64) {
        let mut state = lock(&self.state);
        if state.turn != turn {
            return;
        }
        let leader = Arc::clone(self);
        match threads::run(move || leader.lead(turn + 1)) {
            Ok(_) => (state.turn, state.busy) = (turn + 1, None),
            Err(error) => {
                state.busy = Some(Instant::now());
                tracing::warn!(target: "sdk", %error, "cannot start a thread for the next calls");
            }
        }
    }

    /// Whether there is a thread that watches, from now on if not before.
    fn is_watched(self: &Arc<Self>) -> bool {
        if self.watch.get().is_none() {
            let watch = Arc::clone(self);
            if let Ok(thread) = thread::Builder::new().name("watch".into()).spawn(move || watch.watch()) {
                let _ = self.watch.set(thread.thread().clone());
            }
        }
        self.watch.get().is_some()
    }

    fn watch(self: Arc<Self>) {
        loop {
            let mut state = lock(&self.state);
            match state.busy {
                None => {
                    state.dozing = true;
                    drop(state);
                    thread::park();
                }
                Some(since) if since.elapsed() >= PATIENCE => {
                    let turn = state.turn;
                    drop(state);
                    self.hand_over(turn);
                }
                Some(_) => {
                    drop(state);
                    thread::sleep(PATIENCE);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;
    use tokio::sync::oneshot;

    use super::*;

    fn leadership() -> Arc<Leadership> {
        Leadership::new(Builder::new_current_thread().enable_all().build().unwrap())
    }

    fn threads() -> impl Fn(&Arc<Leadership>) -> oneshot::Receiver<thread::ThreadId> {
        |leadership| {
            let (sender, receiver) = oneshot::channel();
            leadership.give(Box::new(move || sender.send(thread::current().id()).unwrap()));
            receiver
        }
    }

    #[test]
    fn one_thread_does_what_is_quick() {
        let leadership = leadership();
        let (within, thread) = (Arc::clone(&leadership), threads());
        let server = async move {
            let mut ids = Vec::new();
            for _ in 0..20 {
                ids.push(thread(&within).await.unwrap());
            }
            // Another leads on where this process did not run for a while.
            ids.dedup();
            assert!(ids.len() < 20, "{ids:?}");
        };
        leadership.serve(server).unwrap();
    }

    #[test]
    fn another_leads_on_where_one_is_held_up_or_waits() {
        let leadership = leadership();
        let (within, thread) = (Arc::clone(&leadership), threads());
        let (go_on, blocked) = mpsc::channel::<()>();
        let (end, ends) = oneshot::channel::<()>();
        let server = async move {
            let (done, is_done) = oneshot::channel();
            within.give(Box::new(move || {
                blocked.recv().unwrap();
                done.send(thread::current().id()).unwrap();
            }));
            let other = thread(&within).await.unwrap();
            go_on.send(()).unwrap();
            assert_ne!(is_done.await.unwrap(), other);

            let runtime = Builder::new_multi_thread().worker_threads(1).build().unwrap();
            let (done, is_done) = oneshot::channel();
            let handle = runtime.handle().clone();
            within.give(Box::new(move || {
                threads::block_on(&handle, async { ends.await.unwrap() });
                done.send(thread::current().id()).unwrap();
            }));
            let other = thread(&within).await.unwrap();
            end.send(()).unwrap();
            assert_ne!(is_done.await.unwrap(), other);
            runtime.shutdown_background();
        };
        leadership.serve(server).unwrap();
    }

    #[test]
    fn what_comes_together_is_done_together() {
        let leadership = leadership();
        let within = Arc::clone(&leadership);
        let server = async move {
            // Each waits for the other two.
            let all = Arc::new(std::sync::Barrier::new(3));
            let done = [(); 3].map(|()| {
                let (all, (done, is_done)) = (Arc::clone(&all), oneshot::channel());
                within.give(Box::new(move || {
                    all.wait();
                    done.send(()).unwrap();
                }));
                is_done
            });
            for it in done {
                it.await.unwrap();
            }
        };
        leadership.serve(server).unwrap();
    }
}
