use graphwright_core::Span;
use proptest::{prelude::*, test_runner::TestRunner};

use super::{Dialect, Place, generate::trees, print_with};
use crate::syntax::{
    parse, print,
    tree::{Expression, Tree},
    visit::VisitMut,
};

/// Empties every span of a tree.
struct Places;

impl VisitMut for Places {
    fn visit_span(&mut self, span: &mut Span) {
        *span = Span::default();
    }
}

fn without_places(mut tree: Tree) -> Tree {
    Places.visit_tree(&mut tree);
    tree
}

#[test]
fn printed_trees_are_read_as_they_were() {
    read_as_they_were(print);
}

/// A reader that wants every bracket and every back-tick.
struct Careful;

impl Dialect for Careful {
    fn quotes(&self, _: &str) -> bool {
        true
    }

    fn brackets(&self, _: Place, _: &Expression) -> bool {
        true
    }
}

#[test]
fn a_dialect_changes_no_tree() {
    read_as_they_were(|tree| print_with(tree, &Careful).0);
}

fn read_as_they_were(write: fn(&Tree) -> String) {
    let run = move || {
        let mut runner = TestRunner::new(ProptestConfig::with_cases(512));
        let result = runner.run(&trees(), |tree| {
            let text = write(&tree);
            let parsed = parse(&text);
            prop_assert_eq!(&parsed.diagnostics, &[], "{}", text);
            prop_assert_eq!(without_places(parsed.tree), tree, "{}", text);
            Ok(())
        });
        result.map_err(|error| error.to_string())
    };
    // The strategies of trees recurse deeply themselves.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap();
    assert_eq!(thread.join().unwrap(), Ok(()));
}

/// Returns the canonical form of a text, which must be canonical itself.
fn canonical(text: &str) -> String {
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let printed = print(&parsed.tree);
    let again = parse(&printed);
    assert_eq!(again.diagnostics, [], "{printed}");
    assert_eq!(print(&again.tree), printed);
    printed
}

#[test]
fn a_dialect_is_asked_at_each_place() {
    let cases = [
        ("-a", "-(`a`)"),
        ("a IN b + c", "(`a`) IN ((`b`) + (`c`))"),
        ("NOT a AND b", "(NOT (`a`)) AND (`b`)"),
        ("a < b IS NULL", "(`a`) < ((`b`) IS NULL)"),
        ("l[1].x", "((`l`)[(1)]).`x`"),
        ("[x IN l WHERE x | x]", "[`x` IN (`l`) WHERE (`x`) | `x`]"),
    ];
    for (expression, expected) in cases {
        let parsed = parse(&format!("RETURN {expression}"));
        assert_eq!(print_with(&parsed.tree, &Careful).0, format!("RETURN {expected}"));
    }
}

#[test]
fn every_construct_has_a_canonical_form() {
    let texts = [
        "explain match (n) return n; cypher 5 runtime=slotted match (m) finish",
        "match p=shortestPath((a:A|B)-[r:X|Y*..3]->(b)) using index a:A(x) where length(p)>1 return nodes(p)[0..2]",
        "match any shortest (a)-[:R]->+(b), q = shortest 2 paths groups ((x)-->(y) where x.n>1){1,3} (c) return *",
        "match (n:!A&(B|C) {k:1} where n.x is not null)<-[:$(n.t)]-(:%) return n:A|B, n is C",
        "call (a) { with a return 1 as one union all return 2 as one } in 3 concurrent transactions of 10 rows on error continue report status as s return one",
        "call db.labels() yield label as l where l starts with 'x' return count(*) as c, collect(distinct l)",
        "return [x in range(1,3) where x:(A|B) | x+1], [(a)-->(b) where a.x | b], [p=(a)--() | p], [(x in y)]",
        "return exists { (a)-->(b) where a.x = 1 }, count { match (n) return n }, collect { match (n) return n.x }",
        "return case x when 1, 2 then 'a' when > 3 then 'b' when is null then 'c' else 'd' end, case when a then b end",
        "return all(x in l where x>0), reduce(s=0, x in l | s+x), n{.a, .*, b, c:1}, trim(both 'x' from y), normalize(s, NFC)",
        "return x is :: list<integer not null> | string, x is not normalized, x is nfkd normalized, y :: date",
        "return 0x1F, 0o17, 1_000, 1.5e3, .5, inf, 'it\\'s', \"a\\\"b'\\n\", $p, $`a b`, $0",
        "return -1 ^ 2, (1+2)*3, 1-(2-3), not (a or b) and c xor d, a < b <= c, not a = b, - -1, (a = b) = c",
        "merge (a)-[r:R]->(b) on create set r.x=1, a:B:C on match set a+={y:2}, b=a set (n).p=1, n['k']=2 remove n:A, n.x detach delete n, r",
        "unwind [1] as x foreach (y in [x]|create (:N {v:y}) set z.v=y) insert (:A)-[:R]->(:B)",
        "load csv with headers from 'x' as line fieldterminator ';' use graph.byName('x') return 1 order by 1 desc, a asc skip 1 limit 2",
        "match (`order`:Order) where `order`.`by` = 1 and `null`.x return `order` as `select all`, end",
        "create index foo for (n:N) on (n.x); show indexes yield *; match (n) return n",
        "match (n) order by n.x limit 3 return exists((n)-->()), not (n)--(:A), n.x starts with 'a', 1 in [1], n.x =~ '.*\\d'",
    ];
    insta::assert_snapshot!(texts.map(canonical).join("\n\n"));
}
