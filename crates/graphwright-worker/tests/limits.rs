//! Workers that misbehave, with this program as the worker.
//!
//! A harness of its own, since the test program must be able to become a worker.

#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "this is a test")]

use std::time::{Duration, Instant};

use graphwright_worker::{
    ARGUMENT, Pool, Program, Replies, Requests, Task, Worker, WorkerError, limit_memory, serve, used_memory,
};

const MEGABYTE: u64 = 1 << 20;
const SOON: Duration = Duration::from_secs(10);

fn main() {
    if std::env::args().nth(1).as_deref() == Some(ARGUMENT) {
        serve(work).unwrap();
        return;
    }
    let tests: [(&str, fn()); 6] = [
        ("a_worker_answers_one_request_after_another", a_worker_answers_one_request_after_another),
        ("too_much_memory_ends_the_worker_and_is_told", too_much_memory_ends_the_worker_and_is_told),
        ("too_deep_a_recursion_is_told", too_deep_a_recursion_is_told),
        ("a_worker_that_fails_otherwise_says_how", a_worker_that_fails_otherwise_says_how),
        ("another_program_is_no_worker", another_program_is_no_worker),
        ("a_pool_keeps_what_is_healthy", a_pool_keeps_what_is_healthy),
    ];
    for (name, test) in tests {
        test();
        println!("{name}: ok");
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that `serve` asks for")]
fn work(task: Task, mut requests: Requests, mut replies: Replies) {
    assert_eq!(task.kind, "test");
    limit_memory(Some(used_memory() + 64 * MEGABYTE));
    while let Some(request) = requests.blocking_recv() {
        match request.as_slice() {
            b"eat" => eat(),
            b"fall" => assert!(fall(1) > 0),
            b"panic" => panic!("as asked"),
            b"wait" => std::thread::sleep(SOON * 10),
            other => replies.send(other).unwrap(),
        }
    }
}

fn eat() {
    let mut eaten = Vec::new();
    loop {
        eaten.push(std::hint::black_box(vec![1_u8; MEGABYTE as usize]));
    }
}

#[expect(unconditional_recursion, reason = "that is the point")]
fn fall(depth: u64) -> u64 {
    std::hint::black_box(fall(std::hint::black_box(depth + 1))) + 1
}

fn start() -> Worker {
    Worker::start(&this_program(), "test", &()).unwrap()
}

fn this_program() -> Program {
    Program::new(std::env::current_exe().unwrap())
}

fn ask(worker: &mut Worker, request: &str) -> Result<Option<Vec<u8>>, WorkerError> {
    worker.send(request.as_bytes())?;
    worker.receive(SOON)
}

fn a_worker_answers_one_request_after_another() {
    let mut worker = start();
    for word in ["one", "two", ""] {
        assert_eq!(ask(&mut worker, word).unwrap().unwrap(), word.as_bytes());
    }
    worker.send(b"wait").unwrap();
    assert!(worker.receive(Duration::from_millis(20)).unwrap().is_none());
}

fn too_much_memory_ends_the_worker_and_is_told() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let error = ask(&mut start(), "eat").unwrap_err();
    assert!(matches!(error, WorkerError::Memory), "{error:?}");
}

fn too_deep_a_recursion_is_told() {
    let error = ask(&mut start(), "fall").unwrap_err();
    assert!(matches!(error, WorkerError::Stack), "{error:?}");
}

fn a_worker_that_fails_otherwise_says_how() {
    let error = ask(&mut start(), "panic").unwrap_err().to_string();
    assert!(error.contains("as asked"), "{error}");
}

fn another_program_is_no_worker() {
    let missing = Worker::start(&Program::new("/nowhere/graphwright"), "test", &()).unwrap_err();
    assert!(missing.to_string().contains("cannot start /nowhere/graphwright"), "{missing}");
    assert!(Worker::start(&Program::new("/bin/echo"), "test", &()).is_err());
}

fn a_pool_keeps_what_is_healthy() {
    let pool = Pool::new(1, || Worker::start(&this_program(), "test", &()));
    let mut lease = pool.take(SOON).unwrap();
    assert!(matches!(pool.take(Duration::from_millis(1)), Err(WorkerError::Busy)));
    ask(&mut lease, "one").unwrap();
    lease.keep();

    let mut warm = pool.take(SOON).unwrap();
    let begun = Instant::now();
    for _ in 0..100 {
        ask(&mut warm, "two").unwrap();
    }
    println!("a message to a warm worker and back: {:?}", begun.elapsed() / 100);
    ask(&mut warm, "panic").unwrap_err();
    drop(warm);
    assert_eq!(ask(&mut pool.take(SOON).unwrap(), "new").unwrap().unwrap(), b"new");
}
