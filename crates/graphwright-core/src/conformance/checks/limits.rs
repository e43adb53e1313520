//! Checks of the limits of time and rows, and of cancellation.

use std::time::{Duration, Instant};

use futures::StreamExt;
use tokio_util::sync::CancellationToken;

use super::{checks, ensure, equal, fails, one, write};
use crate::{Statement, store::QueryOptions};

/// More rows than any engine gives within the limits below.
const ENDLESS: &str = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c \
                       WITH a, b, c WHERE a * b * c = 7 RETURN count(*)";

checks! { "limits":
    row_limit_cuts_and_says_so(store) {
        let options = QueryOptions { row_limit: Some(3), ..QueryOptions::default() };
        let table = store.read(Statement::fixed("UNWIND range(1, 10) AS x RETURN x"), options).await?.collect().await?;
        equal(table.rows.len(), 3)?;
        ensure(table.summary.truncated.is_some(), "a cut result does not say so")?;
    }
    row_limit_that_is_not_reached_says_nothing(store) {
        for limit in [10, 11] {
            let options = QueryOptions { row_limit: Some(limit), ..QueryOptions::default() };
            let table = store.read(Statement::fixed("UNWIND range(1, 10) AS x RETURN x"), options).await?.collect().await?;
            equal((table.rows.len(), table.summary.truncated), (10, None))?;
        }
    }
    row_limit_of_a_write_cuts_rows_alone(store) {
        let options = QueryOptions { row_limit: Some(2), ..QueryOptions::default() };
        let result = store.write(Statement::fixed("UNWIND range(1, 5) AS x CREATE (:A {x: x}) RETURN x"), options).await?;
        equal(result.table.rows.len(), 2)?;
        ensure(result.table.summary.truncated.is_some(), "a cut result does not say so")?;
        equal(one(&store, "MATCH (n:A) RETURN count(n)").await?, 5.into())?;
    }
    time_limit_stops_a_read(store) {
        let options = QueryOptions { time_limit: Some(Duration::from_millis(200)), ..QueryOptions::default() };
        let start = Instant::now();
        let result = match store.read(Statement::fixed(ENDLESS), options).await {
            Ok(stream) => stream.collect().await.map(drop),
            Err(error) => Err(error),
        };
        fails(result, "timed_out")?;
        ensure(start.elapsed() < Duration::from_secs(10), "the query went on long after its limit")?;
    }
    time_limit_undoes_a_write(store) {
        let options = QueryOptions { time_limit: Some(Duration::from_millis(200)), ..QueryOptions::default() };
        let text = "CREATE (:A) WITH 1 AS one UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c \
                    WITH a, b, c WHERE a * b * c = 7 CREATE (:B)";
        fails(store.write(Statement::fixed(text), options).await, "timed_out")?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 0.into())?;
    }
    cancelled_before_it_begins(store) {
        let cancel = CancellationToken::new();
        cancel.cancel();
        let options = QueryOptions { cancel, ..QueryOptions::default() };
        let result = match store.read(Statement::fixed(ENDLESS), options).await {
            Ok(stream) => stream.collect().await.map(drop),
            Err(error) => Err(error),
        };
        fails(result, "cancelled")?;
    }
    cancelled_write_leaves_nothing(store) {
        let cancel = CancellationToken::new();
        cancel.cancel();
        let options = QueryOptions { cancel, ..QueryOptions::default() };
        fails(store.write(Statement::fixed("CREATE (:A)"), options).await, "cancelled")?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 0.into())?;
    }
    cancelled_in_the_middle(store) {
        let cancel = CancellationToken::new();
        let options = QueryOptions { cancel: cancel.clone(), time_limit: None, ..QueryOptions::default() };
        let query = async {
            match store.read(Statement::fixed(ENDLESS), options).await {
                Ok(stream) => stream.collect().await.map(drop),
                Err(error) => Err(error),
            }
        };
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        fails(query.await, "cancelled")?;
        ensure(other.join().is_ok(), "the other thread failed")?;
    }
    dropped_stream_ends_the_query(store) {
        write(&store, "UNWIND range(1, 2000) AS x CREATE (:A {x: x})").await?;
        let mut stream = store.read(Statement::fixed("MATCH (n:A) RETURN n.x"), QueryOptions::default()).await?;
        ensure(stream.next().await.is_some(), "gave no row")?;
        drop(stream);
        equal(one(&store, "MATCH (n:A) RETURN count(n)").await?, 2000.into())?;
    }
    rows_come_in_order_over_many_batches(store) {
        let stream = store.read(Statement::fixed("UNWIND range(1, 5000) AS x RETURN x"), QueryOptions::default()).await?;
        let rows = stream.collect().await?.rows;
        equal(rows.len(), 5000)?;
        ensure(rows.iter().enumerate().all(|(place, row)| *row == [(place + 1).into()]), "rows are out of order")?;
    }
}
