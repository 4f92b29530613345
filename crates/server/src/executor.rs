//! Runs RPCs: the connections, the engine and the methods of the provider share one thread until a method blocks it.
//!
//! Most RPCs take some microseconds of CPU time, which is less than it costs to wake another thread. A method of the
//! provider can also block its thread for minutes, which must delay neither other RPCs nor `StopProvider`. The executor
//! achieves both with three parts:
//!
//! - **A current-thread runtime of tokio** owns the sockets and the timers of the framework. Provider code never runs
//!   inside this runtime and cannot spawn on it.
//! - **A queue of tasks.** A task is an RPC or a method. The *leader* thread drives the connections until there are
//!   tasks, leaves the runtime, polls the tasks, and enters the runtime again with their responses.
//! - **A watchdog.** If one poll takes longer than [`MAX_POLL_TIME`], another thread becomes the leader, and a helper
//!   thread starts for each task in the queue. When the former leader has finished its poll, it becomes the leader again.
//!
//! For example, ten plans arrive in one read from the socket. The leader polls ten tasks one after the other and sends
//! ten responses with one write. If the third method blocks in a synchronous client, the watchdog notices it within
//! 2 ms: seven helpers poll the other tasks, and the new leader reads from the socket.
//!
//! `DESIGN.md` compares this design with those that tokio offers, and describes how to measure them.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::task::{Context, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{Notify, oneshot};
use tracing::Dispatch;
use tracing::instrument::WithSubscriber as _;

use ferroform_engine::concurrency::executor::{Method, MethodExecutor};

/// The maximum time for which one poll may block the connections.
const MAX_POLL_TIME: Duration = Duration::from_millis(1);
/// The time for which the leader polls tasks before it drives the connections again.
const SLICE: Duration = Duration::from_micros(500);
/// The maximum number of blocked threads, far above the number of RPCs that Terraform makes concurrently.
const MAX_THREADS: usize = 10_000;
/// The maximum number of worker threads of the provider runtime. More threads help only providers that run long
/// computations in `tokio::spawn`.
const MAX_WORKERS: usize = 4;
/// The number of a helper thread, which never leads.
const HELPER: u64 = u64::MAX;

/// The executor of a process. Clones share it.
#[derive(Clone)]
pub(crate) struct Executor {
    shared: Arc<Shared>,
    /// The subscriber of the events in tasks; `None` for the subscriber of the process.
    subscriber: Option<Dispatch>,
}

struct Shared {
    connections: Runtime,
    /// The runtime of provider code: its timers, sockets and spawned tasks.
    author: Runtime,
    state: Mutex<State>,
    /// Wakes a leader that waits inside the runtime of the connections.
    ready: Notify,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Arc<Task>>,
    /// Outputs to be delivered inside the runtime of the connections, where waking a connection takes no system call.
    deliveries: Vec<Box<dyn FnOnce() + Send>>,
    /// True while the leader waits inside the runtime for tasks and deliveries.
    is_leader_waiting: bool,
    /// The number of the leader. A replaced thread with a lower number leads again after its poll.
    leader: u64,
    /// The number of the thread that started last.
    last: u64,
    /// When the leader began to poll a task; none while it drives the connections.
    poll_began: Option<Instant>,
    /// The watchdog, while it sleeps because the leader polls no task.
    sleeping_watchdog: Option<Thread>,
}

impl Executor {
    /// An executor that runs nothing yet.
    ///
    /// # Errors
    /// Returns an error if the runtime or the watchdog cannot be started.
    pub(crate) fn new() -> io::Result<Executor> {
        let connections = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(MAX_THREADS)
            .thread_name("provider")
            .build()?;
        let workers = thread::available_parallelism().map_or(1, usize::from).min(MAX_WORKERS);
        let author = Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
        let (state, ready) = Default::default();
        let shared = Arc::new(Shared { connections, author, state, ready });
        let watched = Arc::clone(&shared);
        thread::Builder::new().name("watchdog".into()).spawn(move || watched.watch())?;
        Ok(Executor { shared, subscriber: None })
    }

    /// The same executor, with a subscriber for the events in the tasks that this handle spawns.
    #[cfg(feature = "client")]
    pub(crate) fn with_subscriber(mut self, subscriber: Dispatch) -> Executor {
        self.subscriber = Some(subscriber);
        self
    }

    /// The runtime of the connections and of the framework's timers.
    pub(crate) fn connections(&self) -> &Handle {
        self.shared.connections.handle()
    }

    /// Runs the server, and returns when it has ended. RPCs that are still running then are abandoned.
    pub(crate) fn serve(&self, server: impl Future<Output = ()> + Send + 'static) {
        let (end, ended) = mpsc::channel();
        self.shared.connections.spawn(async move {
            server.await;
            let _ = end.send(());
        });
        self.start();
        // An error means that the server has panicked, which ends it too.
        let _ = ended.recv();
    }

    /// Starts the leader, which runs until the process ends.
    pub(crate) fn start(&self) {
        let leader = Arc::clone(&self.shared);
        self.shared.connections.spawn_blocking(move || leader.lead(0));
    }

    /// Runs the future as a task. Its output arrives inside the runtime of the connections; if the future panics, the
    /// receiver returns an error.
    pub(crate) fn run<F>(&self, future: F) -> oneshot::Receiver<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let shared = Arc::clone(&self.shared);
        self.spawn(Box::pin(async move {
            let output = future.await;
            // The receiver is gone if Terraform has canceled the RPC.
            let deliver = Box::new(move || drop(sender.send(output)));
            shared.change(|state| state.deliveries.push(deliver));
        }));
        receiver
    }
}

impl MethodExecutor for Executor {
    fn spawn(&self, future: Method) {
        let future = match &self.subscriber {
            Some(subscriber) => Box::pin(future.with_subscriber(subscriber.clone())),
            None => future,
        };
        let slot = Mutex::new(Slot { future: Some(future), queued: false });
        Arc::new(Task { slot, shared: Arc::clone(&self.shared) }).wake();
    }

    fn timers(&self) -> &Handle {
        self.connections()
    }
}

impl Shared {
    /// Leads until a thread with a lower number leads again.
    fn lead(self: Arc<Self>, number: u64) {
        while lock(&self.state).leader >= number {
            self.connections.block_on(self.drive_connections(number));
            self.poll_tasks(number);
        }
    }

    /// Drives the connections until there are tasks, or until another thread leads. Outputs are delivered first, and
    /// connections that can read or write do so at least once.
    async fn drive_connections(&self, number: u64) {
        let mut driven = false;
        loop {
            let (deliveries, has_tasks) = {
                let mut state = lock(&self.state);
                if state.leader != number {
                    // The notification that has ended the wait can be that of the leader.
                    self.ready.notify_one();
                    return;
                }
                let has_tasks = !state.tasks.is_empty();
                state.is_leader_waiting = !has_tasks && state.deliveries.is_empty();
                (mem::take(&mut state.deliveries), has_tasks)
            };
            let has_deliveries = !deliveries.is_empty();
            deliveries.into_iter().for_each(|deliver| deliver());
            if has_tasks && driven {
                return;
            } else if has_tasks {
                tokio::task::yield_now().await;
                driven = true;
            } else if !has_deliveries {
                self.ready.notified().await;
                driven = true;
            }
        }
    }

    fn poll_tasks(&self, number: u64) {
        let end = Instant::now() + SLICE;
        while let Some(task) = self.next_task(number, end) {
            // The receiver of the output returns an error after a panic.
            let _ = catch_unwind(AssertUnwindSafe(|| task.poll()));
        }
    }

    /// The next task for the thread with this number; none if the queue is empty, the leader's slice has ended, or another
    /// thread leads again.
    fn next_task(&self, number: u64, end: Instant) -> Option<Arc<Task>> {
        let now = Instant::now();
        let mut state = lock(&self.state);
        if state.leader > number {
            // It becomes the leader again, so that consecutive long RPCs run on one thread: glibc keeps memory for each
            // thread.
            state.leader = number;
            self.ready.notify_one();
        } else if number == HELPER {
            return state.tasks.pop_front();
        } else if state.leader < number {
            return None;
        }
        state.poll_began = None;
        if now >= end {
            return None;
        }
        let task = state.tasks.pop_front()?;
        state.poll_began = Some(now);
        if let Some(watchdog) = state.sleeping_watchdog.take() {
            watchdog.unpark();
        }
        Some(task)
    }

    /// Adds tasks or deliveries, and wakes the leader if it waits for them.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = lock(&self.state);
        change(&mut state);
        let waits = mem::take(&mut state.is_leader_waiting);
        drop(state);
        if waits {
            self.ready.notify_one();
        }
    }

    /// Replaces every leader whose poll takes too long. Never returns.
    fn watch(self: Arc<Self>) {
        loop {
            let mut state = lock(&self.state);
            match state.poll_began.map(|it| it.elapsed()) {
                None => {
                    state.sleeping_watchdog = Some(thread::current());
                    drop(state);
                    thread::park();
                }
                Some(elapsed) if elapsed < MAX_POLL_TIME => {
                    drop(state);
                    thread::sleep(MAX_POLL_TIME);
                }
                Some(_) => {
                    state.last += 1;
                    state.leader = state.last;
                    state.poll_began = None;
                    let (number, tasks) = (state.leader, state.tasks.len());
                    drop(state);
                    let leader = Arc::clone(&self);
                    self.connections.spawn_blocking(move || leader.lead(number));
                    for _ in 0..tasks {
                        let helper = Arc::clone(&self);
                        self.connections.spawn_blocking(move || helper.poll_tasks(HELPER));
                    }
                }
            }
        }
    }
}

/// A future that any thread can poll.
struct Task {
    slot: Mutex<Slot>,
    shared: Arc<Shared>,
}

struct Slot {
    /// None while a thread polls it, and after its end.
    future: Option<Method>,
    /// True if the task is in the queue, or enters it as soon as the current poll has ended.
    queued: bool,
}

impl Task {
    fn poll(self: Arc<Self>) {
        // Provider code, including its destructors, runs in the context of the provider runtime.
        let _within = self.shared.author.enter();
        let future = {
            let mut slot = lock(&self.slot);
            slot.queued = false;
            slot.future.take()
        };
        let Some(mut future) = future else { return };
        let waker = Waker::from(Arc::clone(&self));
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            return;
        }
        let queued = {
            let mut slot = lock(&self.slot);
            slot.future = Some(future);
            slot.queued
        };
        if queued {
            self.shared.change(|state| state.tasks.push_back(Arc::clone(&self)));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let enters_queue = {
            let mut slot = lock(&self.slot);
            !mem::replace(&mut slot.queued, true) && slot.future.is_some()
        };
        if enters_queue {
            self.shared.change(|state| state.tasks.push_back(Arc::clone(&self)));
        }
    }
}

/// Locks a mutex. Every change under these locks is a single assignment, so a panic leaves consistent data.
fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
