//! Checks of reads: that they do not write, parameters, errors, columns.

use super::{checks, ensure, equal, fails, one, rows, small_graph, table, write};
use crate::{
    Properties, QueryType, Statement, StoreError, Value,
    store::{Counters, QueryMode, QueryOptions},
};

checks! { "reading":
    writes_are_refused_on_read(store) {
        small_graph(&store).await?;
        for text in [
            "CREATE (:A)",
            "MERGE (n:A {x: 1}) RETURN n",
            "MATCH (n) SET n.x = 1",
            "MATCH (n) REMOVE n.name",
            "MATCH (n) DETACH DELETE n",
            "FOREACH (x IN [1] | CREATE (:A))",
            "MATCH (n) CALL { WITH n SET n.x = 1 } RETURN count(*)",
            "MERGE (a:A {x: 1})-[:R]->(b:B) RETURN a",
        ] {
            fails(table(&store, Statement::fixed(text)).await, "read_only")?;
        }
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 3.into())?;
    }
    explained_write_changes_nothing(store) {
        small_graph(&store).await?;
        let text = "MATCH (n:Person) SET n.seen = true RETURN n.name";
        let explain = || QueryOptions { mode: QueryMode::Explain, ..QueryOptions::default() };
        let written = store.write(Statement::fixed(text), explain()).await?;
        let read = store.read(Statement::fixed(text), explain()).await?.collect().await?;
        for table in [written.table, read] {
            equal((table.columns.len(), table.rows.len()), (0, 0))?;
            equal(table.summary.query_type, Some(QueryType::ReadWrite))?;
            ensure(table.summary.plan.is_some(), "gave no plan")?;
        }
        equal(written.counters, Counters::default())?;
        equal(one(&store, "MATCH (n) WHERE n.seen RETURN count(n)").await?, 0.into())?;
    }
    schema_commands_are_refused_on_read(store) {
        for text in ["CREATE INDEX x FOR (n:A) ON (n.y)", "CREATE CONSTRAINT c FOR (n:A) REQUIRE n.y IS UNIQUE"] {
            ensure(table(&store, Statement::fixed(text)).await.is_err(), format!("{text} worked on a read"))?;
        }
        let schema = store.schema(crate::store::SchemaOptions::default()).await?;
        equal((schema.indexes.len(), schema.constraints.len()), (0, 0))?;
    }
    values_of_parameters_are_not_text(store) {
        let hostile = "' OR 1 = 1 //";
        let statement = Statement::fixed("RETURN $value AS v").with("value", hostile);
        equal(table(&store, statement).await?.rows, vec![vec![hostile.into()]])?;
    }
    missing_parameter_is_an_error(store) {
        ensure(table(&store, Statement::fixed("RETURN $missing AS x")).await.is_err(), "a missing parameter worked")?;
    }
    unused_parameter_is_no_error(store) {
        let statement = Statement::fixed("RETURN 1 AS x").with("unused", 5);
        equal(table(&store, statement).await?.rows, vec![vec![1.into()]])?;
    }
    nested_parameters_keep_their_keys(store) {
        let map = Properties::from([
            ("id".to_owned(), Value::from(1)),
            ("name".to_owned(), Value::from(vec!["a", "b"])),
            ("inner".to_owned(), Value::Map(Properties::from([("type".to_owned(), Value::from("t"))]))),
        ]);
        let statement = Statement::fixed("RETURN $map AS map, $map.id AS id, $map.name[1] AS name, $map.inner.type AS type, keys($map) AS keys")
            .with("map", map.clone());
        let mut found = table(&store, statement).await?.rows.pop().unwrap_or_default();
        // The order of keys is open.
        if let Some(Value::List(keys)) = found.last_mut() {
            keys.sort_by(Value::order);
        }
        let expected = vec![Value::Map(map), 1.into(), "b".into(), "t".into(), vec!["id", "inner", "name"].into()];
        equal(found, expected)?;
    }
    parameters_in_skip_and_limit(store) {
        let statement = Statement::fixed("UNWIND range(1, 10) AS x RETURN x SKIP $skip LIMIT $limit").with("skip", 2).with("limit", 3);
        equal(table(&store, statement).await?.rows, vec![vec![3.into()], vec![4.into()], vec![5.into()]])?;
    }
    column_names_are_the_expressions(store) {
        small_graph(&store).await?;
        let found = table(&store, Statement::fixed("MATCH (n:Person) RETURN n.name, count(*), n.born + 1 AS next, 'x' ORDER BY n.name")).await?;
        equal(found.columns, ["n.name", "count(*)", "next", "'x'"].map(str::to_owned).to_vec())?;
    }
    return_star_gives_the_variables(store) {
        small_graph(&store).await?;
        let found = table(&store, Statement::fixed("MATCH (a:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'}) RETURN *")).await?;
        equal(found.columns, vec!["a".to_owned()])?;
        equal(found.rows.first().map(Vec::len), Some(1))?;
    }
    syntax_error_says_where(store) {
        let error = table(&store, Statement::fixed("MATCH (n)\nRETRUN n")).await;
        match error {
            Err(StoreError::Syntax { position, .. }) => {
                ensure(position.is_none_or(|position| position.line == 2), format!("at {position:?}"))?;
            }
            other => fails(other, "syntax")?,
        }
    }
    unknown_variable_is_an_error(store) {
        ensure(table(&store, Statement::fixed("MATCH (n) RETURN m")).await.is_err(), "an unknown variable worked")?;
    }
    unknown_names_give_no_rows(store) {
        small_graph(&store).await?;
        for text in [
            "MATCH (n:Nothing) RETURN n",
            "MATCH ()-[r:NOTHING]->() RETURN r",
            "MATCH (n:Person {nothing: 1}) RETURN n",
            "MATCH (n:Person)-[:KNOWS]->(:Company {nothing: 1}) RETURN n",
        ] {
            equal(rows(&store, text).await?.len(), 0)?;
        }
        equal(one(&store, "MATCH (n:Person {name: 'Ada'}) RETURN n.nothing").await?, Value::Null)?;
    }
    elements_have_stable_identifiers(store) {
        small_graph(&store).await?;
        let found = rows(&store, "MATCH (a)-[r:KNOWS]->(b) RETURN a, r, b, elementId(a)").await?;
        match found.first().map(Vec::as_slice) {
            Some([Value::Node(a), Value::Relationship(r), Value::Node(b), Value::String(id)]) => {
                equal((&r.start, &r.end), (&a.element_id, &b.element_id))?;
                equal(id.as_str(), a.element_id.as_str())?;
                equal(r.kind.as_str(), "KNOWS")?;
            }
            other => ensure(false, format!("gave {other:?}"))?,
        }
    }
    paths_are_whole(store) {
        small_graph(&store).await?;
        let found = one(&store, "MATCH p = (:Company)<-[:WORKS_AT {since: 1840}]-(:Person)-[:KNOWS]->(:Person) RETURN p").await?;
        match found {
            Value::Path(path) => {
                equal((path.nodes.len(), path.relationships.len()), (3, 2))?;
                let names: Vec<&str> = path.nodes.iter().map(crate::Node::display_name).collect();
                equal(names, vec!["Acme", "Ada", "Bob"])?;
            }
            other => ensure(false, format!("gave {other:?}"))?,
        }
    }
    long_paths_are_found(store) {
        write(&store, "UNWIND range(0, 29) AS i CREATE (:N {i: i})").await?;
        write(&store, "MATCH (a:N), (b:N) WHERE b.i = a.i + 1 CREATE (a)-[:NEXT]->(b)").await?;
        equal(one(&store, "MATCH (a:N {i: 0})-[:NEXT*]->(b) RETURN count(b)").await?, 29.into())?;
        equal(one(&store, "MATCH p = shortestPath((a:N {i: 0})-[:NEXT*]->(b:N {i: 29})) RETURN length(p)").await?, 29.into())?;
        equal(one(&store, "MATCH (a:N {i: 0}) RETURN EXISTS { (a)-[:NEXT*]->(:N {i: 29}) } AS x").await?, true.into())?;
    }
    merge_of_a_path_makes_it_once(store) {
        write(&store, "CREATE (:A {x: 1})").await?;
        for _ in 0..2 {
            write(&store, "UNWIND [1, 1, 2] AS k MATCH (a:A) MERGE (a)-[:R]->(b:B {k: k})").await?;
        }
        equal(one(&store, "MATCH (:A)-[:R]->(b:B) RETURN count(b)").await?, 2.into())?;
        equal(rows(&store, "MATCH (a:A)-[:R]->(b:B) RETURN b.k ORDER BY b.k").await?, vec![vec![1.into()], vec![2.into()]])?;
    }
    label_expressions(store) {
        write(&store, "CREATE (:A {x: 1}), (:A:B {x: 2}), (:B {x: 3}), (:C {x: 4})").await?;
        let found = |text| rows(&store, text);
        equal(found("MATCH (n:A&!B) RETURN n.x").await?, vec![vec![1.into()]])?;
        equal(found("MATCH (n:!A&!B) RETURN n.x").await?, vec![vec![4.into()]])?;
        equal(found("MATCH (n:(A|C)&!B) RETURN n.x ORDER BY n.x").await?, vec![vec![1.into()], vec![4.into()]])?;
        equal(found("MATCH (n) WHERE n:A|C RETURN count(n)").await?, vec![vec![3.into()]])?;
    }
    collect_subquery_keeps_nulls_and_order(store) {
        write(&store, "CREATE (a:A)-[:R]->(:B {x: 2}), (a)-[:R]->(:B {x: 1}), (a)-[:R]->(:B {y: 1})").await?;
        let found = one(&store, "MATCH (a:A) RETURN COLLECT { MATCH (a)-[:R]->(b) RETURN b.x ORDER BY b.x } AS l").await?;
        equal(found, Value::List(vec![1.into(), 2.into(), Value::Null]))?;
    }
    read_of_a_write_result_is_consistent(store) {
        let result = store.write(Statement::fixed("CREATE (n:A {x: $x}) RETURN n").with("x", 7), QueryOptions::default()).await?;
        match result.table.rows.first().map(Vec::as_slice) {
            Some([Value::Node(node)]) => equal(node.properties.get("x"), Some(&7.into()))?,
            other => ensure(false, format!("gave {other:?}"))?,
        }
    }
    information_names_the_store(store) {
        let info = store.info().await?;
        ensure(!info.kind.is_empty() && !info.engine.is_empty(), format!("{info:?}"))?;
    }
}
