//! Tables, fields and lists: turned tables, units in headers, lists in cells, cells without a value.

use super::check;

const ONTOLOGY: &str = "
nodes:
  Bridge: {synonyms: [crossing], properties: {opened: {type: integer, description: Year of opening., synonyms: [year]}, length_m: {type: float, synonyms: [length, span]}, toll: {type: boolean}, status: {type: string, enum: [open, closed]}}}
  Engineer: {synonyms: [designer, person], properties: {born: {type: integer}, role: {type: string}}}
  River: {synonyms: [stream]}
  Company: {synonyms: [firm, contractor], properties: {staff: {type: integer, synonyms: [employees]}, city: {type: string}}}
relationships:
  DESIGNED_BY: {from: [Bridge], to: [Engineer], synonyms: [designer]}
  BUILT_BY: {from: [Bridge], to: [Company], synonyms: [contractor, builder]}
  CROSSES: {from: [Bridge], to: [River]}
  MAINTAINED_BY: {from: [Bridge], to: [Company]}
  HEAD_OF: {from: [Engineer], to: [Company], synonyms: [head]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "| Bridge | Opened | Length (m) | Designer | Built by |\n|---|---|---|---|---|\n| Harrow Bridge | 1931 | 240 | Ada Holm | Crane Ltd |\n| Tern Bridge | 1999 | 1,210.5 | n/a | — |",
                &[
                    "Harrow Bridge.opened = 1931",
                    "Harrow Bridge.length_m = 240.0",
                    "Harrow Bridge DESIGNED_BY Ada Holm",
                    "Harrow Bridge BUILT_BY Crane Ltd",
                    "Tern Bridge.opened = 1999",
                    "Tern Bridge.length_m = 1210.5",
                ],
            ),
            (
                "| Bridge | Length (km) | Toll | River crossed |\n|---|---|---|---|\n| Harrow Bridge | 0.24 | yes | River Sill |\n| Tern Bridge | 1.2 | no | River Nabb |",
                &[
                    "Harrow Bridge.length_m = 240.0",
                    "Harrow Bridge.toll = true",
                    "Harrow Bridge CROSSES River Sill",
                    "Tern Bridge.length_m = 1200.0",
                    "Tern Bridge.toll = false",
                    "Tern Bridge CROSSES River Nabb",
                ],
            ),
            (
                "| | Harrow Bridge | Tern Bridge |\n|---|---|---|\n| Opened | 1931 | 1999 |\n| Designer | Ada Holm | Piet Zander |\n| Length | 240 m | 1.2 km |",
                &[
                    "Harrow Bridge.opened = 1931",
                    "Tern Bridge.opened = 1999",
                    "Harrow Bridge DESIGNED_BY Ada Holm",
                    "Tern Bridge DESIGNED_BY Piet Zander",
                    "Harrow Bridge.length_m = 240.0",
                    "Tern Bridge.length_m = 1200.0",
                ],
            ),
            (
                "| Bridge | Harrow Bridge | Tern Bridge |\n|---|---|---|\n| Opened | 1931 | 1999 |\n| Designer | Ada Holm | Piet Zander |",
                &[
                    "Harrow Bridge.opened = 1931",
                    "Tern Bridge.opened = 1999",
                    "Harrow Bridge DESIGNED_BY Ada Holm",
                    "Tern Bridge DESIGNED_BY Piet Zander",
                ],
            ),
            (
                "| Contractor | Bridges |\n|---|---|\n| Crane Ltd | Harrow Bridge, Tern Bridge |\n| Vint Ltd | Moss Bridge |",
                &[
                    "Harrow Bridge BUILT_BY Crane Ltd",
                    "Tern Bridge BUILT_BY Crane Ltd",
                    "Moss Bridge BUILT_BY Vint Ltd",
                ],
            ),
            (
                "| Bridge | Maintained by | Status |\n|---|---|---|\n| Harrow Bridge | Vint Ltd | open |\n| Tern Bridge | Crane Ltd (until 2019) | closed |",
                &[
                    "Harrow Bridge MAINTAINED_BY Vint Ltd",
                    "Harrow Bridge.status = open",
                    "Tern Bridge.status = closed",
                ],
            ),
            (
                "| Bridge | Contractor | Remarks |\n|---|---|---|\n| Harrow Bridge | Vint Ltd | still at work |\n| Tern Bridge | Crane Ltd | planned |",
                &["Harrow Bridge BUILT_BY Vint Ltd"],
            ),
        ],
    );
}
