//! Batches, and what collects them.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use graphwright_flow::{Batch, Context, Event, Runner, flow};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::{Begin, End};

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Part(u32);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Made(u32);

/// Makes so many parts, the last one first, and counts how many it works on side by side.
#[derive(Default)]
struct Workshop {
    at_work: AtomicUsize,
    most_at_work: AtomicUsize,
}

#[flow(start = Begin, stop = End)]
impl Workshop {
    #[step]
    async fn split(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Part> {
        ctx.send_all((0..begin.0).map(Part))
    }

    #[step(workers = 3)]
    async fn make(&self, part: Part) -> Made {
        let at_work = self.at_work.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_work.fetch_max(at_work, Ordering::SeqCst);
        sleep(Duration::from_millis(u64::from(100 - part.0))).await;
        self.at_work.fetch_sub(1, Ordering::SeqCst);
        Made(part.0)
    }

    #[step]
    async fn assemble(&self, made: Made, ctx: &Context<Self>) -> Option<End> {
        let made: Vec<Made> = ctx.collect(made).await?;
        Some(End(made.iter().map(|made| made.0.to_string()).collect::<Vec<_>>().join(" ")))
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_collected_in_its_order_and_a_step_keeps_to_its_workers() {
    let runner = Runner::new(Workshop::default());
    let end = runner.run(Begin(10)).await.unwrap();
    assert_eq!(end.0, "0 1 2 3 4 5 6 7 8 9");
    assert_eq!(runner.flow().most_at_work.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn a_batch_of_one_is_collected_and_a_batch_of_none_is_told() {
    let runner = Runner::new(Workshop::default());
    assert_eq!(runner.run(Begin(1)).await.unwrap().0, "0");
    let error = runner.run(Begin(0)).await.unwrap_err();
    assert_eq!(error.to_string(), "the flow ended without its stop `End`; a batch of none was sent");
}

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Shelf {
    number: u32,
    books: u32,
}
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Book {
    shelf: u32,
    number: u32,
}
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Catalogue(String);

/// A batch of batches: the books of one shelf never get among those of another.
struct Library;

#[flow(start = Begin, stop = End)]
impl Library {
    #[step]
    async fn shelves(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Shelf> {
        ctx.send_all((1..=begin.0).map(|number| Shelf { number, books: number }))
    }

    #[step]
    async fn books(&self, shelf: Shelf, ctx: &Context<Self>) -> Batch<Book> {
        ctx.send_all((1..=shelf.books).map(|number| Book { shelf: shelf.number, number }))
    }

    #[step(workers = 16)]
    async fn catalogue(&self, book: Book, ctx: &Context<Self>) -> Option<Catalogue> {
        // Shelves come to an end in another order than they were begun.
        sleep(Duration::from_millis(u64::from(book.number * 7 % 5))).await;
        let books: Vec<Book> = ctx.collect(book).await?;
        let shelf = books[0].shelf;
        assert!(books.iter().all(|book| book.shelf == shelf), "{books:?}");
        Some(Catalogue(format!("{shelf}:{}", books.len())))
    }

    #[step]
    async fn all(&self, catalogue: Catalogue, ctx: &Context<Self>) -> Option<End> {
        let all: Vec<Catalogue> = ctx.collect(catalogue).await?;
        Some(End(all.into_iter().map(|catalogue| catalogue.0).collect::<Vec<_>>().join(" ")))
    }
}

#[tokio::test(start_paused = true)]
async fn batches_within_batches_stay_apart() {
    assert_eq!(Runner::new(Library).run(Begin(5)).await.unwrap().0, "1:1 2:2 3:3 4:4 5:5");
}

/// Loses the part with the number 1.
struct Leaky;

#[flow(start = Begin, stop = End)]
impl Leaky {
    #[step]
    async fn split(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Part> {
        ctx.send_all((0..begin.0).map(Part))
    }

    #[step]
    async fn make(&self, part: Part) -> Option<Made> {
        (part.0 != 1).then_some(Made(part.0))
    }

    #[step]
    async fn assemble(&self, made: Made, ctx: &Context<Self>) -> Option<End> {
        ctx.collect::<Vec<_>>(made).await.map(|made| End(made.len().to_string()))
    }
}

#[tokio::test]
async fn a_collection_that_never_gets_whole_is_told() {
    let error = Runner::new(Leaky).run(Begin(3)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the flow ended without its stop `End`; `assemble` has collected 2 and waits for more"
    );
}

/// Collects a batch of what is of none.
struct Single;

#[flow(start = Begin, stop = End)]
impl Single {
    #[step]
    async fn collect(&self, begin: Begin, ctx: &Context<Self>) -> Option<End> {
        ctx.collect::<Vec<_>>(begin).await.map(|all| End(all.len().to_string()))
    }
}

#[tokio::test]
async fn what_is_of_no_batch_cannot_be_collected_as_one() {
    let error = Runner::new(Single).run(Begin(3)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the step `collect` failed: it collects a batch, and this event is of none: send it with `ctx.send_all`"
    );
}

/// Sends each part twice.
struct Doubling;

#[flow(start = Begin, stop = End)]
impl Doubling {
    #[step]
    async fn split(&self, begin: Begin, ctx: &Context<Self>) -> Batch<Part> {
        ctx.send_all((0..begin.0).map(Part))
    }

    #[step]
    async fn make(&self, part: Part) -> (Made, Made) {
        (Made(part.0), Made(part.0))
    }

    #[step]
    async fn assemble(&self, made: Made, ctx: &Context<Self>) -> Option<End> {
        ctx.collect::<Vec<_>>(made).await.map(|made| End(made.len().to_string()))
    }
}

#[tokio::test]
async fn a_member_that_comes_twice_is_told() {
    let error = Runner::new(Doubling).run(Begin(3)).await.unwrap_err().to_string();
    assert!(error.contains("of a batch of 3 came twice"), "{error}");
}
