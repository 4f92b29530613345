use std::collections::HashSet;
use std::sync::Barrier;
use std::thread::ThreadId;

use super::*;

fn thread_id() -> ThreadId {
    thread::current().id()
}

/// Serves the future, which must reach its end.
fn serve<F: Future<Output = ()> + Send + 'static>(server: impl FnOnce(Executor) -> F) {
    let executor = Executor::new().unwrap();
    let (sender, receiver) = mpsc::channel();
    let server = server(executor.clone());
    executor.serve(async move {
        server.await;
        sender.send(()).unwrap();
    });
    receiver.recv().expect("the server panicked");
}

#[test]
fn the_leader_polls_short_tasks_itself() {
    serve(|executor| async move {
        let mut changes = 0;
        let mut last = thread_id();
        for _ in 0..100 {
            let id = executor.run(async { thread_id() }).await.unwrap();
            changes += u32::from(id != last);
            last = thread_id();
        }
        // The watchdog also replaces a leader that the system did not run for a while.
        assert!(changes < 50, "{changes}");
    });
}

#[test]
fn another_thread_leads_while_a_task_blocks() {
    serve(|executor| async move {
        let (unblock, blocked) = mpsc::channel::<()>();
        let (begun, begins) = oneshot::channel();
        let first = executor.run(async move {
            begun.send(()).unwrap();
            blocked.recv().unwrap();
            thread_id()
        });
        begins.await.unwrap();
        let second = executor.run(async { thread_id() }).await.unwrap();
        unblock.send(()).unwrap();
        assert_ne!(first.await.unwrap(), second);
    });
}

#[test]
fn long_tasks_run_on_the_same_thread() {
    serve(|executor| async move {
        let mut threads = HashSet::new();
        for _ in 0..20 {
            let task = async {
                thread::sleep(5 * MAX_POLL_TIME);
                thread_id()
            };
            threads.insert(executor.run(task).await.unwrap());
            // Another thread led during the task, and may have received its result.
            let end = Instant::now() + Duration::from_secs(10);
            while lock(&executor.shared.state).leader != 0 {
                assert!(Instant::now() < end, "the first thread does not lead again");
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(threads.len(), 1);
    });
}

#[test]
fn tasks_that_block_run_at_once() {
    serve(|executor| async move {
        let all = Arc::new(Barrier::new(100));
        let tasks: Vec<_> = (0..100)
            .map(|_| {
                let all = Arc::clone(&all);
                executor.run(async move {
                    all.wait();
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
}

#[test]
fn a_task_that_is_woken_during_its_poll_is_polled_again() {
    serve(|executor| async move {
        let mut polls = 0;
        let task = std::future::poll_fn(move |context| {
            polls += 1;
            if polls == 10 {
                return std::task::Poll::Ready(polls);
            }
            context.waker().wake_by_ref();
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        });
        assert_eq!(executor.run(task).await, Ok(10));
    });
}

#[test]
fn panic_ends_only_its_task() {
    serve(|executor| async move {
        executor.run(async { panic!("in a task") }).await.unwrap_err();
        assert_eq!(executor.run(async { 1 }).await, Ok(1));
    });
}

#[test]
fn tasks_use_the_provider_runtime() {
    serve(|executor| async move {
        let connections = executor.connections().id();
        let task = executor.run(async move {
            let within = Handle::current().id();
            let spawned = tokio::spawn(async { Handle::current().id() }).await.unwrap();
            (within == spawned, within != connections)
        });
        assert_eq!(task.await, Ok((true, true)));
    });
}
