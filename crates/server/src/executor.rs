//! Runs the provider's calls: the connections, the engine and the author's methods share one thread as long as
//! nothing blocks it.
//!
//! Most calls take some microseconds, which is less than waking another thread for them. Author's code may also block
//! its thread for minutes, which must delay neither other calls nor Stop. The executor gives both with three parts:
//!
//! - **A runtime of tokio with one thread** has the sockets and the framework's timers. Author's code never runs inside
//!   of it and cannot reach it.
//! - **A queue of tasks**, each a call or a method. The *leader* thread drives the connections until there are tasks,
//!   leaves the runtime, polls the tasks, and enters it again with the responses.
//! - **A watchdog.** If one poll takes longer than [`PATIENCE`], another thread becomes the leader, and every task that
//!   waits in the queue gets a thread. The former leader finishes its poll and helps until the queue is empty.
//!
//! For example, ten plans arrive in one read from the socket. The leader polls the ten calls one after the other, and
//! sends ten responses with one write. If the third method blocks in a synchronous client, the watchdog notices it
//! within 2 ms: the remaining seven run on threads of their own, and a new leader reads from the socket.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::task::{Context, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{Notify, oneshot};

use ferroform_engine::concurrency::spawn::{Method, Spawn};

/// How long one poll may hold up the connections.
const PATIENCE: Duration = Duration::from_millis(1);
/// How long the leader polls tasks, one after the other, before it looks at the connections again.
const SLICE: Duration = Duration::from_micros(500);
/// How many threads can be blocked at once. The host's limit on calls is far below.
const MOST_THREADS: usize = 10_000;
/// Threads for what the author spawns. More of them only help providers that compute for long in `tokio::spawn`.
const MOST_WORKERS: usize = 4;

type Reply = Box<dyn FnOnce() + Send>;

/// The executor of a process. Clones are the same executor.
#[derive(Clone)]
pub(crate) struct Executor(Arc<Shared>);

struct Shared {
    connections: Runtime,
    /// Where the author's timers, sockets and spawned tasks are.
    author: Runtime,
    state: Mutex<State>,
    /// Wakes the leader inside of the runtime.
    ready: Notify,
    watchdog: OnceLock<Thread>,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Arc<Task>>,
    /// What is to run inside of the runtime, where waking a connection costs no system call.
    replies: Vec<Reply>,
    /// The leader is inside of the runtime, and has to be woken.
    waiting: bool,
    /// The number of the leader. A thread that has been replaced sees another number.
    leader: u64,
    /// Since when the leader has been polling one task.
    polling: Option<Instant>,
    watchdog_sleeps: bool,
}

impl Executor {
    /// An executor that runs nothing yet.
    ///
    /// # Errors
    ///
    /// If the runtime or the watchdog cannot be started.
    pub(crate) fn new() -> io::Result<Executor> {
        let connections =
            Builder::new_current_thread().enable_all().max_blocking_threads(MOST_THREADS).build()?;
        let workers = thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS);
        let author = Builder::new_multi_thread()
            .worker_threads(workers)
            .thread_name("provider")
            .enable_all()
            .build()?;
        let (state, ready, watchdog) = Default::default();
        let shared = Arc::new(Shared { connections, author, state, ready, watchdog });
        let watched = Arc::clone(&shared);
        let watchdog = thread::Builder::new().name("watchdog".into()).spawn(move || watched.watch())?;
        let _ = shared.watchdog.set(watchdog.thread().clone());
        Ok(Executor(shared))
    }

    /// The runtime of the connections and of the framework's timers.
    pub(crate) fn connections(&self) -> &Handle {
        self.0.connections.handle()
    }

    /// Serves until the future, which drives the connections, has ended. Calls that still run then are abandoned.
    pub(crate) fn serve(&self, server: impl Future<Output = ()> + Send + 'static) {
        let (end, ended) = mpsc::channel();
        self.0.connections.spawn(async move {
            server.await;
            let _ = end.send(());
        });
        let leader = Arc::clone(&self.0);
        self.0.connections.spawn_blocking(move || leader.lead(0));
        // An error means that the server has panicked, which ends it too.
        let _ = ended.recv();
    }

    /// Runs the future as a task, and returns its output inside of the connections' runtime.
    /// The receiver returns an error if the future panics.
    pub(crate) fn run<F>(&self, future: F) -> oneshot::Receiver<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let shared = Arc::clone(&self.0);
        self.spawn(Box::pin(async move {
            let output = future.await;
            shared.reply(Box::new(move || drop(sender.send(output))));
        }));
        receiver
    }
}

impl Spawn for Executor {
    fn spawn(&self, future: Method) {
        let slot = Mutex::new(Slot { future: Some(future), queued: false });
        Arc::new(Task { slot, shared: Arc::clone(&self.0) }).wake();
    }

    fn timers(&self) -> &Handle {
        self.connections()
    }
}

impl Shared {
    /// What each thread does: it leads until it is replaced, then helps until the queue is empty.
    fn lead(self: Arc<Self>, number: u64) {
        while lock(&self.state).leader == number {
            self.connections.block_on(self.drive_connections());
            self.poll_tasks(number);
        }
    }

    /// Drives the connections until there are tasks.
    async fn drive_connections(&self) {
        let mut driven = false;
        loop {
            let (replies, has_tasks) = {
                let mut state = lock(&self.state);
                let has_tasks = !state.tasks.is_empty();
                state.waiting = !has_tasks && state.replies.is_empty();
                (mem::take(&mut state.replies), has_tasks)
            };
            let has_replies = !replies.is_empty();
            replies.into_iter().for_each(|reply| reply());
            if has_tasks && driven {
                return;
            } else if has_tasks {
                // The connections first send what they have been given, and read what has come.
                tokio::task::yield_now().await;
                driven = true;
            } else if !has_replies {
                self.ready.notified().await;
                driven = true;
            }
        }
    }

    fn poll_tasks(&self, number: u64) {
        let end = Instant::now() + SLICE;
        while let Some(task) = self.next_task(number, end) {
            // The output of a task that panics is missing, which its caller sees.
            let _ = catch_unwind(AssertUnwindSafe(|| task.poll()));
        }
    }

    /// The next task for this thread; none if the leader is to return to the connections, or the queue is empty.
    fn next_task(&self, number: u64, end: Instant) -> Option<Arc<Task>> {
        let now = Instant::now();
        let mut state = lock(&self.state);
        if state.leader != number {
            return state.tasks.pop_front();
        }
        state.polling = None;
        if now >= end {
            return None;
        }
        let task = state.tasks.pop_front()?;
        state.polling = Some(now);
        if mem::take(&mut state.watchdog_sleeps)
            && let Some(watchdog) = self.watchdog.get()
        {
            watchdog.unpark();
        }
        Some(task)
    }

    fn push(&self, task: Arc<Task>) {
        let mut state = lock(&self.state);
        state.tasks.push_back(task);
        self.wake_leader(state);
    }

    fn reply(&self, reply: Reply) {
        let mut state = lock(&self.state);
        state.replies.push(reply);
        self.wake_leader(state);
    }

    fn wake_leader(&self, mut state: MutexGuard<'_, State>) {
        let waiting = mem::take(&mut state.waiting);
        drop(state);
        if waiting {
            self.ready.notify_one();
        }
    }

    /// Replaces a leader that is held up, for ever.
    fn watch(self: Arc<Self>) {
        loop {
            let mut state = lock(&self.state);
            let held_up = state.polling.map(|since| since.elapsed());
            match held_up {
                None => {
                    state.watchdog_sleeps = true;
                    drop(state);
                    thread::park();
                }
                Some(time) if time < PATIENCE => {
                    drop(state);
                    thread::sleep(PATIENCE);
                }
                Some(_) => {
                    state.leader += 1;
                    state.polling = None;
                    let (number, tasks) = (state.leader, state.tasks.len());
                    drop(state);
                    let leader = Arc::clone(&self);
                    self.connections.spawn_blocking(move || leader.lead(number));
                    for _ in 0..tasks {
                        let helper = Arc::clone(&self);
                        self.connections.spawn_blocking(move || helper.poll_tasks(NO_LEADER));
                    }
                }
            }
        }
    }
}

/// The number of a thread that never leads.
const NO_LEADER: u64 = u64::MAX;

/// A future that is polled by whichever thread is free.
struct Task {
    slot: Mutex<Slot>,
    shared: Arc<Shared>,
}

struct Slot {
    /// None while it is polled, and after its end.
    future: Option<Method>,
    /// It is in the queue, or will be after the poll.
    queued: bool,
}

impl Task {
    fn poll(self: Arc<Self>) {
        let future = {
            let mut slot = lock(&self.slot);
            slot.queued = false;
            slot.future.take()
        };
        let Some(mut future) = future else { return };
        let _within = self.shared.author.enter();
        let waker = Waker::from(Arc::clone(&self));
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            return;
        }
        let mut slot = lock(&self.slot);
        slot.future = Some(future);
        let queued = slot.queued;
        drop(slot);
        if queued {
            self.shared.push(Arc::clone(&self));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let mut slot = lock(&self.slot);
        let push = !mem::replace(&mut slot.queued, true) && slot.future.is_some();
        drop(slot);
        if push {
            self.shared.push(Arc::clone(&self));
        }
    }
}

/// Nothing that is locked is left half-changed by a panic.
fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
