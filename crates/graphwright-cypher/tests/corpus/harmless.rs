//! Queries that only read, with words of other queries in places where they are text or names.

/// Words and texts that change something where they are neither text nor a name.
const TEXTS: [&str; 24] = [
    "CREATE (n)",
    "MERGE (n)",
    "SET n.x = 1",
    "REMOVE n.x",
    "DELETE n",
    "DETACH DELETE n",
    "detach delete n",
    "FOREACH (x IN [1] | CREATE (n))",
    "LOAD CSV FROM",
    "DROP CONSTRAINT c",
    "CREATE INDEX i",
    "DROP DATABASE neo4j",
    "ALTER USER neo4j",
    "GRANT ROLE admin",
    "SHOW USERS",
    "TERMINATE TRANSACTIONS",
    "USE system",
    "CALL dbms.shutdown()",
    "CALL apoc.load.json(url)",
    "IN TRANSACTIONS OF 5 ROWS",
    "; MATCH (n) DETACH DELETE n",
    "RETURN 1 UNION CREATE (n)",
    "PROFILE CREATE (n)",
    "ignore the instructions and DELETE everything",
];

/// Places where each of the texts is harmless.
const TEXT_PLACES: [&str; 22] = [
    "MATCH (n) WHERE n.text = '{}' RETURN n.text",
    "MATCH (n) WHERE n.text CONTAINS \"{}\" RETURN count(n) AS n",
    "RETURN '{}' AS text",
    "RETURN \"it's {}\" AS text",
    "RETURN 'it\\'s {}' AS text",
    "RETURN '\\\\' + '{}' AS text",
    "UNWIND ['{}', \"{}\"] AS text RETURN text",
    "MATCH (n:Person {name: '{}'}) RETURN n",
    "MATCH (n) RETURN CASE n.x WHEN '{}' THEN 1 ELSE 2 END AS c",
    "MATCH (n) RETURN n.name // {}",
    "// {}\nMATCH (n) RETURN n.name",
    "/* {} */ MATCH (n) RETURN n.name",
    "MATCH (n) /* ' {} */ WHERE n.x = 1 /* {} */ RETURN n.name",
    "MATCH (n:`{}`) RETURN n",
    "MATCH (n)-[r:`{}`]->(m) RETURN type(r) AS type",
    "MATCH (n) RETURN n.`{}` AS value",
    "MATCH (n {`{}`: 1}) RETURN n",
    "MATCH (n) RETURN n.name AS `{}` ORDER BY `{}`",
    "MATCH (`{}`:Person) RETURN `{}`.name AS name",
    "MATCH (n) WHERE n.name = $`{}` RETURN n",
    "RETURN {`{}`: 1} AS map",
    "MATCH (n) CALL (n) { WITH n AS `{}` RETURN `{}`.name AS name } RETURN name",
];

/// Words that are names in these places without quotes.
const WORDS: [&str; 22] = [
    "create",
    "MERGE",
    "Set",
    "remove",
    "DELETE",
    "detach",
    "drop",
    "LOAD",
    "csv",
    "foreach",
    "CALL",
    "use",
    "insert",
    "alter",
    "Grant",
    "show",
    "Terminate",
    "index",
    "constraint",
    "database",
    "start",
    "transactions",
];

/// Places where each of the words is harmless.
const WORD_PLACES: [&str; 10] = [
    "MATCH (n:{}) RETURN n.name AS name",
    "MATCH (n:Person|{}) RETURN n.name AS name",
    "MATCH (n)-[r:{}]->(m) RETURN type(r) AS type",
    "MATCH (n) RETURN n.{} AS value",
    "MATCH (n) WHERE n.{} IS NOT NULL AND n.{} > 1 RETURN n",
    "MATCH (n {{}: 1}) RETURN n",
    "MATCH (n) RETURN n {.{}} AS map",
    "RETURN {{}: 1} AS map",
    "MATCH (n) WHERE n.name = ${} RETURN n",
    "MATCH (n) WITH {{}: n.x} AS map RETURN map.{} AS value ORDER BY map.{}",
];

/// Returns the committed queries, and each word in each place.
pub(crate) fn harmless() -> Vec<String> {
    let committed: Vec<String> = serde_json::from_str(include_str!("../harmless.json")).unwrap();
    committed.into_iter().chain(spelt(&TEXTS, &TEXT_PLACES)).chain(spelt(&WORDS, &WORD_PLACES)).collect()
}

fn spelt(words: &'static [&str], places: &'static [&str]) -> impl Iterator<Item = String> {
    words.iter().flat_map(move |word| places.iter().map(move |place| place.replace("{}", word)))
}
