use crate::bench::{Bench, assert_shown};

#[test]
fn a_broken_line_does_not_stop_the_others() {
    let bench = Bench::with_graph();
    let before = bench.graph();
    let questions =
        "{\"id\": 1, \"question\": \"\"}\nbroken\n\n{\"id\": 3}\n{\"id\": 4, \"query\": \"zzyzx\"}\n";
    let queries = "{\"id\": \"a\", \"query\": \"RETURN 1\"}\n{\"id\": \"b\", \"query\": \"CREATE (:A)\"}\n\
                   {\"id\": \"c\", \"query\": \"RETURN\"}\n{\"query\": \"RETURN $x\", \"params\": {\"x\": 2}}\n";
    let shown = [
        bench.run_with(&["search", "--batch", "--mode", "fulltext"], questions),
        bench.run_with(&["ask", "--batch"], "{\"id\": 1, \"question\": \" \"}\n[1]\n"),
        bench.run_with(&["cypher", "--batch"], queries),
        bench.run_with(&["cypher", "--batch"], ""),
        bench.run_with(&["cypher", "--batch", "RETURN 1"], ""),
    ];
    assert_shown!(shown.join("\n"));
    assert_eq!(bench.graph(), before);
}
