//! Types that come in from passages.

use super::*;
use crate::NewType;

#[tokio::test]
async fn a_type_that_several_documents_tell_of_comes_in() {
    let bench = Bench::new(&[
        ("a.md", "Alpha likes Beta."),
        ("b.md", "Gamma likes Delta. Alpha uses Beta."),
        ("c.md", "Alpha uses Gamma."),
    ]);
    let report = bench.run_with(bench.ingest().open(true)).await;
    let likes = NewType { name: "LIKES".to_owned(), documents: 2, example: "Alpha to Beta".to_owned() };
    assert_eq!(report.new_types, [likes]);
    assert_eq!(counts(report.documents), (3, 0, 0, 0));
    assert_eq!((report.relationship_types["LIKES"].added, report.relationship_types["USES"].added), (2, 2));
    let stored = Ontology::load(bench.store.as_ref()).await.expect("loads").expect("is there");
    assert!(stored.relationships["LIKES"].added && !stored.relationships["USES"].added);
    assert_eq!(stored.hash(), ontology().hash(), "what came in makes no document be read again");

    bench.write("d.md", "Delta likes Alpha.");
    let report = bench.run_with(bench.ingest().open(true)).await;
    assert_eq!(counts(report.documents), (1, 0, 0, 3));
    assert_eq!((report.new_types.len(), report.relationship_types["LIKES"].added), (0, 1));
}

#[tokio::test]
async fn what_one_document_tells_of_stays_out() {
    let bench = Bench::new(&[("a.md", "Alpha likes Beta. Beta likes Gamma."), ("b.md", "Alpha uses Gamma.")]);
    let report = bench.run_with(bench.ingest().open(true)).await;
    assert_eq!((report.new_types.len(), report.dropped[&DropReason::UnknownRelationship]), (0, 2));
    assert_eq!(counts(report.documents), (2, 0, 0, 0));
}
