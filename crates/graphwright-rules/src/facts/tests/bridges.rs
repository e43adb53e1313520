//! Bridges and their builders: participles, gaps, fronted phrases, lists, and what is no fact.

use super::check;

const ONTOLOGY: &str = "
nodes:
  Bridge: {synonyms: [crossing, viaduct, footbridge], properties: {opened: {type: integer, description: Year of opening.}, length_m: {type: integer, synonyms: [length, span]}, status: {type: string, enum: [open, closed, demolished]}, cost: {type: float, description: In millions of pounds., synonyms: [price]}, electrified: {type: boolean}}, aliases: {Harrow Bridge: [], Moss Viaduct: [], Tern Bridge: [], Old Tern Bridge: [], Lark Crossing: []}}
  Engineer: {synonyms: [designer, person], properties: {born: {type: integer}, died: {type: integer}}, aliases: {Ada Holm: [], Piet Zander: [], Jon Reeve: []}}
  River: {aliases: {River Sill: [Sill], River Nabb: [Nabb]}}
  Company: {synonyms: [firm, contractor, builder], properties: {founded: {type: integer}, employees: {type: integer, synonyms: [staff]}}, aliases: {Crane and Low: [], Northgate Steel: [], Vint Brothers: []}}
  Town: {synonyms: [city, village], properties: {population: {type: integer, synonyms: [inhabitants]}}, aliases: {Wexley: [], Ardmoor: [], Pell: []}}
relationships:
  DESIGNED_BY: {from: [Bridge], to: [Engineer], synonyms: [designer]}
  BUILT_BY: {from: [Bridge], to: [Company], synonyms: [contractor, builder]}
  CROSSES: {from: [Bridge], to: [River]}
  LOCATED_IN: {from: [Bridge, Company], to: [Town]}
  REPLACED: {from: [Bridge], to: [Bridge]}
  MAINTAINED_BY: {from: [Bridge], to: [Company]}
  HEAD_OF: {from: [Engineer], to: [Company], synonyms: [head, managing director]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "Designed by Ada Holm, Harrow Bridge crosses the Sill.",
                &["Harrow Bridge DESIGNED_BY Ada Holm", "Harrow Bridge CROSSES River Sill"],
            ),
            (
                "Built in 1931 by Northgate Steel, the Moss Viaduct spans the River Nabb.",
                &["Moss Viaduct BUILT_BY Northgate Steel"],
            ),
            (
                "Harrow Bridge, opened in 1931, was designed by Ada Holm and built by Crane and Low.",
                &["Harrow Bridge.opened = 1931"],
            ),
            (
                "Tern Bridge opened in 1999, replacing Old Tern Bridge.",
                &["Tern Bridge.opened = 1999", "Tern Bridge REPLACED Old Tern Bridge"],
            ),
            (
                "Old Tern Bridge was replaced by Tern Bridge in 1999.",
                &["Tern Bridge REPLACED Old Tern Bridge"],
            ),
            (
                "Harrow Bridge was designed by Ada Holm, Moss Viaduct by Piet Zander.",
                &["Harrow Bridge DESIGNED_BY Ada Holm"],
            ),
            ("Harrow Bridge opened in 1931 and Tern Bridge in 1999.", &["Harrow Bridge.opened = 1931"]),
            (
                "Harrow Bridge and Moss Viaduct were designed by Ada Holm and Piet Zander respectively.",
                &["Harrow Bridge DESIGNED_BY Ada Holm", "Moss Viaduct DESIGNED_BY Piet Zander"],
            ),
            (
                "Harrow Bridge, whose designer was Ada Holm, stands in Wexley.",
                &["Harrow Bridge DESIGNED_BY Ada Holm"],
            ),
            ("The designer of Harrow Bridge was Ada Holm.", &["Harrow Bridge DESIGNED_BY Ada Holm"]),
            ("Ada Holm, born in 1880, designed Harrow Bridge.", &["Ada Holm.born = 1880"]),
            (
                "Ada Holm (b. 1880) is head of Crane and Low.",
                &["Ada Holm.born = 1880", "Ada Holm HEAD_OF Crane and Low"],
            ),
            (
                "Ada Holm (1880–1951) designed Harrow Bridge.",
                &["Ada Holm.born = 1880", "Ada Holm.died = 1951"],
            ),
            ("Crane and Low, headed by Ada Holm, has 340 employees.", &["Crane and Low.employees = 340"]),
            (
                "Under the leadership of Ada Holm, Crane and Low built the Moss Viaduct.",
                &["Moss Viaduct BUILT_BY Crane and Low"],
            ),
            ("Harrow Bridge is maintained by Vint Brothers.", &["Harrow Bridge MAINTAINED_BY Vint Brothers"]),
            (
                "Tern Bridge was designed by Piet Zander rather than Ada Holm.",
                &["Tern Bridge DESIGNED_BY Piet Zander"],
            ),
            ("Harrow Bridge in Wexley was designed by Ada Holm.", &["Harrow Bridge DESIGNED_BY Ada Holm"]),
            (
                "Northgate Steel of Ardmoor built the Moss Viaduct.",
                &["Moss Viaduct BUILT_BY Northgate Steel"],
            ),
            ("Harrow Bridge, in Wexley, is 240 metres long.", &["Harrow Bridge.length_m = 240"]),
            ("Harrow Bridge has a length of 240 m.", &["Harrow Bridge.length_m = 240"]),
            (
                "Harrow Bridge is 240 m long and crosses the Sill.",
                &["Harrow Bridge.length_m = 240", "Harrow Bridge CROSSES River Sill"],
            ),
            (
                "Harrow Bridge, a 240-metre crossing of the Sill, is closed.",
                &["Harrow Bridge.length_m = 240", "Harrow Bridge.status = closed"],
            ),
            ("Harrow Bridge cost £1.2 million.", &["Harrow Bridge.cost = 1.2"]),
            ("Harrow Bridge is electrified.", &["Harrow Bridge.electrified = true"]),
            ("Harrow Bridge is not electrified.", &["Harrow Bridge.electrified = false"]),
            ("Wexley (population 8,420) lies on the Sill.", &["Wexley.population = 8420"]),
            ("Wexley has 8,420 inhabitants, Ardmoor 3,100.", &["Wexley.population = 8420"]),
            (
                "Crane and Low, founded in 1902, built Harrow Bridge.",
                &["Crane and Low.founded = 1902", "Harrow Bridge BUILT_BY Crane and Low"],
            ),
            (
                "Crane and Low was founded in 1902; it built Harrow Bridge.",
                &["Crane and Low.founded = 1902", "Harrow Bridge BUILT_BY Crane and Low"],
            ),
            ("Harrow Bridge (designer: Ada Holm) crosses the Sill.", &["Harrow Bridge CROSSES River Sill"]),
            ("Harrow Bridge (Ada Holm, 1931) crosses the Sill.", &["Harrow Bridge CROSSES River Sill"]),
            ("Harrow Bridge, a work of Ada Holm, crosses the Sill.", &["Harrow Bridge CROSSES River Sill"]),
            (
                "Having designed Harrow Bridge, Ada Holm moved to Wexley.",
                &["Harrow Bridge DESIGNED_BY Ada Holm"],
            ),
            (
                "Crane and Low, which built Harrow Bridge, is based in Pell.",
                &["Harrow Bridge BUILT_BY Crane and Low"],
            ),
            (
                "Harrow Bridge, which crosses the Sill, was designed by Ada Holm.",
                &["Harrow Bridge CROSSES River Sill", "Harrow Bridge DESIGNED_BY Ada Holm"],
            ),
            ("Wexley, where Harrow Bridge stands, has 8,420 inhabitants.", &["Wexley.population = 8420"]),
            (
                "Plans for Lark Crossing, designed by Piet Zander, were dropped.",
                &["Lark Crossing DESIGNED_BY Piet Zander"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("Ada Holm was head of Crane and Low until 2003.", &[]),
            ("Ada Holm will head Crane and Low from May.", &[]),
            ("Harrow Bridge is not maintained by Vint Brothers.", &[]),
            ("There is no evidence that Ada Holm designed Tern Bridge.", &[]),
            ("Ada Holm never designed a crossing in Wexley.", &[]),
            ("Neither Ada Holm nor Piet Zander designed Tern Bridge.", &[]),
            ("Ada Holm refused to design Tern Bridge.", &[]),
            ("It is often said that Ada Holm designed Tern Bridge; in fact it was Piet Zander.", &[]),
            ("Ada Holm is said to have designed Tern Bridge.", &[]),
            ("Northgate Steel failed to win the contract for Tern Bridge.", &[]),
            ("Northgate Steel has applied to build Lark Crossing.", &[]),
            ("A second crossing, to be designed by Ada Holm, is under consideration.", &[]),
            ("Lark Crossing is to be built by Northgate Steel.", &[]),
            ("Three firms built it: Crane and Low, Northgate Steel and Vint Brothers.", &[]),
            ("Crane and Low took on the building of Harrow Bridge, whose designer is unknown.", &[]),
            ("Did Ada Holm design Harrow Bridge?", &[]),
            ("If Crane and Low had built Harrow Bridge, it would still stand.", &[]),
            ("Crane and Low would have built Harrow Bridge.", &[]),
            ("Ada Holm wanted to design Harrow Bridge.", &[]),
            ("Harrow Bridge may have been designed by Ada Holm.", &[]),
            ("The claim that Ada Holm designed Harrow Bridge is unproven.", &[]),
            ("Ada Holm did not design Harrow Bridge, nor did Piet Zander.", &[]),
            ("Except for Tern Bridge, all bridges cross the Sill.", &[]),
            ("Crane and Low declined the contract to build Harrow Bridge.", &[]),
        ],
    );
}
