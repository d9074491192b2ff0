use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::*;

const WALL: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(1);

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(future)
}

#[test]
fn work_runs_on_a_hook_thread() {
    let threads = HookThreads::new(1, Placement::HookThreads);
    let name = block_on(threads.run(WALL, || std::thread::current().name().map(str::to_owned)));
    assert_eq!(name, Ok(Some("hook".to_owned())));
}

#[test]
fn work_that_may_run_here_does() {
    let threads = HookThreads::new(1, Placement::Here);
    let run = |needs| block_on(threads.run_anywhere(needs, WALL, || thread::current().id()));
    let here = thread::current().id();
    assert_eq!(run(Needs::Nothing), Ok(here));
    assert_ne!(run(Needs::NoRuntime), Ok(here));
    let panics = || panic!("on purpose");
    let panicked = block_on(threads.run_anywhere(Needs::Nothing, WALL, panics));
    assert_eq!(panicked, Err::<(), _>(ThreadError::Panicked));
}

#[test]
fn a_panic_costs_neither_the_thread_nor_the_caller() {
    let threads = HookThreads::new(1, Placement::HookThreads);
    let panicked = block_on(threads.run(WALL, || panic!("on purpose")));
    assert_eq!(panicked, Err::<(), _>(ThreadError::Panicked));
    assert_eq!(block_on(threads.run(WALL, || 1)), Ok(1));
}

#[test]
fn a_thread_that_blocks_is_given_up_and_replaced_until_it_returns() {
    let threads = HookThreads::new(1, Placement::HookThreads);
    let (release, blocked) = mpsc::channel::<()>();
    let given_up = block_on(threads.run(SHORT, move || blocked.recv().ok()));
    assert_eq!(given_up, Err(ThreadError::GivenUp(SHORT)));
    assert_eq!(threads.pool.lost(), 1);
    assert_eq!(block_on(threads.run(WALL, || 2)), Ok(2));
    release.send(()).unwrap();
    while threads.pool.lost() > 0 || threads.free.available_permits() != 1 {
        std::thread::yield_now();
    }
    assert_eq!(block_on(threads.run(WALL, || 3)), Ok(3));
}

#[test]
fn a_call_whose_future_is_dropped_still_frees_its_thread() {
    let threads = HookThreads::new(1, Placement::HookThreads);
    let (release, blocked) = mpsc::channel::<()>();
    block_on(async {
        let call = threads.run(WALL, move || blocked.recv().ok());
        let mut call = std::pin::pin!(call);
        std::future::poll_fn(|context| {
            assert!(call.as_mut().poll(context).is_pending());
            std::task::Poll::Ready(())
        })
        .await;
    });
    release.send(()).unwrap();
    assert_eq!(block_on(threads.run(WALL, || 4)), Ok(4));
}

#[test]
fn calls_beyond_the_number_of_threads_wait_for_their_turn() {
    let threads = HookThreads::new(2, Placement::HookThreads);
    let results = block_on(async {
        let mut calls = Vec::new();
        for number in 0..20 {
            calls.push(Box::pin(threads.run(WALL, move || number)));
        }
        let mut results = Vec::new();
        for call in calls {
            results.push(call.await.unwrap());
        }
        results
    });
    assert_eq!(results, (0..20).collect::<Vec<_>>());
}

#[test]
fn work_of_its_own_thread_is_given_up_as_well() {
    let (release, blocked) = mpsc::channel::<()>();
    assert_eq!(
        run_once(SHORT, move || blocked.recv().ok()),
        Err(ThreadError::GivenUp(SHORT))
    );
    release.send(()).ok();
    assert_eq!(run_once(WALL, || 5), Ok(5));
    assert_eq!(
        run_once(WALL, || panic!("on purpose")),
        Err::<(), _>(ThreadError::Panicked)
    );
}
