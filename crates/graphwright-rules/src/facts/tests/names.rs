//! Names without marks, what gives them a type, and the words that point back at them.

use super::check;

const WATER: &str = "
nodes:
  Reservoir: {properties: {built: {type: integer}}}
  River: {synonyms: [brook, stream]}
  Company: {synonyms: [utility, firm]}
  Engineer: {synonyms: [person]}
  Town: {synonyms: [village, city]}
relationships:
  FED_BY: {from: [Reservoir], to: [River]}
  OPERATED_BY: {from: [Reservoir], to: [Company], synonyms: [operator]}
  DESIGNED_BY: {from: [Reservoir], to: [Engineer], synonyms: [designer]}
  SUPPLIES: {from: [Reservoir], to: [Town]}
  BASED_IN: {from: [Company], to: [Town]}
";

#[test]
fn types_come_from_the_words_beside_a_name() {
    check(
        WATER,
        &[
            ("The Anselm reservoir is fed by the river Brede.", &["Anselm FED_BY Brede"]),
            (
                "The reservoirs Anselm and Lower Moor are operated by Calder Water.",
                &["Anselm OPERATED_BY Calder Water", "Lower Moor OPERATED_BY Calder Water"],
            ),
            (
                "Calder Water operates three reservoirs: Anselm, Tarn Head and Lower Moor.",
                &["Lower Moor OPERATED_BY Calder Water", "Tarn Head OPERATED_BY Calder Water"],
            ),
            (
                "Tarn Head, the oldest reservoir of the county, was designed by Dr Ida Quist.",
                &["Tarn Head DESIGNED_BY Dr Ida Quist"],
            ),
            (
                "Bishop of Wells Reservoir is operated by Calder Water.",
                &["Bishop of Wells Reservoir OPERATED_BY Calder Water"],
            ),
        ],
    );
}

#[test]
fn words_point_back_at_names() {
    check(
        WATER,
        &[
            (
                "Anselm Reservoir was built in 1911. The reservoir is fed by the river Brede.",
                &["Anselm Reservoir FED_BY Brede", "Anselm Reservoir.built = 1911"],
            ),
            (
                "Calder Water, a firm of old standing, is based in Sill. The firm operates Tarn Head.",
                &["Tarn Head OPERATED_BY Calder Water"],
            ),
            (
                "Tarn Head is a reservoir. Like the Anselm reservoir, it is operated by Calder Water.",
                &["Tarn Head OPERATED_BY Calder Water"],
            ),
            (
                "Calder Water Company is based in Sill. Anselm Reservoir is operated by Calder Water.",
                &["Anselm Reservoir OPERATED_BY Calder Water Company"],
            ),
            (
                "The Northern Service Reservoir (NSR) supplies Overbeck. NSR is operated by Calder Water.",
                &["Northern Service Reservoir OPERATED_BY Calder Water"],
            ),
            (
                "The engineer Ida Quist lives by the moor. Tarn Head was designed by Quist.",
                &["Tarn Head DESIGNED_BY Ida Quist"],
            ),
        ],
    );
}

const STAGE: &str = "
nodes:
  Play: {synonyms: [drama, comedy]}
  Theatre: {synonyms: [playhouse]}
  Person: {synonyms: [playwright, actor, director]}
  Company: {synonyms: [troupe]}
relationships:
  WRITTEN_BY: {from: [Play], to: [Person], synonyms: [author]}
  DIRECTED_BY: {from: [Play], to: [Person], synonyms: [director]}
  STAGED_AT: {from: [Play], to: [Theatre]}
  OWNED_BY: {from: [Theatre], to: [Person, Company], synonyms: [owner]}
";

#[test]
fn titles_of_works() {
    check(
        STAGE,
        &[
            (
                "Castle in the Fog is a comedy written by Nora Lindt.",
                &["Castle in the Fog WRITTEN_BY Nora Lindt"],
            ),
            (
                "The Fox and the Lantern was written by Nora Lindt.",
                &["The Fox and the Lantern WRITTEN_BY Nora Lindt"],
            ),
            ("\"The Long Night\" was directed by Pavel Oke.", &["The Long Night DIRECTED_BY Pavel Oke"]),
            ("*A Bed for Two* was directed by Pavel Oke.", &["A Bed for Two DIRECTED_BY Pavel Oke"]),
            ("Nora Lindt wrote the play Castle in the Fog.", &["Castle in the Fog WRITTEN_BY Nora Lindt"]),
            (
                "North Wind (Danish: Nordenvind) is a drama by Nora Lindt. It was directed by Pavel Oke.",
                &["North Wind DIRECTED_BY Pavel Oke"],
            ),
            (
                "North Wind was written by Nora Lindt and directed by Pavel Oke.",
                &["North Wind DIRECTED_BY Pavel Oke", "North Wind WRITTEN_BY Nora Lindt"],
            ),
            (
                "North Wind and South Wind were written by Nora Lindt.",
                &["North Wind WRITTEN_BY Nora Lindt", "South Wind WRITTEN_BY Nora Lindt"],
            ),
        ],
    );
}

#[test]
fn the_form_of_a_name_decides_between_two_types() {
    check(
        STAGE,
        &[
            ("The Globe Theatre is owned by Tomas Vik.", &["Globe Theatre OWNED_BY Tomas Vik"]),
            ("The Globe Theatre is owned by Vik & Sons.", &["Globe Theatre OWNED_BY Vik & Sons"]),
            ("The Globe Theatre is owned by the Vik Group.", &["Globe Theatre OWNED_BY Vik Group"]),
            (
                "The owner of the Globe Theatre is Tomas Vik of the Lantern Group.",
                &["Globe Theatre OWNED_BY Tomas Vik"],
            ),
        ],
    );
}

#[test]
fn a_table_overrules_the_place_in_a_sentence() {
    let text = "| Theatre | Owner |\n| --- | --- |\n| Old Mill | Vik & Sons |\n\nNorth Wind was staged at the Old Mill. \
                The Old Mill was directed by nobody. Old Mill was written by Nora Lindt.";
    check(STAGE, &[(text, &["North Wind STAGED_AT Old Mill", "Old Mill OWNED_BY Vik & Sons"])]);
}

#[test]
fn people_are_known_by_what_is_said_of_them() {
    check(
        STAGE,
        &[
            (
                "Nora Lindt, a retired banker, runs a school. She owns the Globe Theatre.",
                &["Globe Theatre OWNED_BY Nora Lindt"],
            ),
            (
                "Nora Lindt (1901–1977) came from Oslo. The Globe Theatre is owned by Lindt.",
                &["Globe Theatre OWNED_BY Nora Lindt"],
            ),
            (
                "Dr Nora Lindt is well. The Globe Theatre is owned by Dr Lindt.",
                &["Globe Theatre OWNED_BY Dr Nora Lindt"],
            ),
        ],
    );
}

#[test]
fn pronouns_mean_what_their_place_allows() {
    check(
        WATER,
        &[
            (
                "Calder Water operates Tarn Head, and it supplies Overbeck.",
                &["Tarn Head OPERATED_BY Calder Water"],
            ),
            (
                "Calder Water operates Tarn Head. It supplies Overbeck.",
                &["Tarn Head OPERATED_BY Calder Water"],
            ),
            (
                "The reservoirs Anselm and Tarn Head lie on the moor. Both are operated by Calder Water.",
                &["Anselm OPERATED_BY Calder Water", "Tarn Head OPERATED_BY Calder Water"],
            ),
            (
                "Fed by the river Brede, the Anselm reservoir is old. It supplies Overbeck.",
                &["Anselm FED_BY Brede"],
            ),
        ],
    );
}

#[test]
fn records_and_run_in_titles_name_their_subject() {
    let record = "REGISTER OF WATERS\n\nName: Tarn Head\nOperator: Calder Water\nBuilt: 1911\n";
    let list = "# Reservoirs\n\n## Tarn Head\n\nOld.\n\n# Notes\n\n1. **Tarn Head.** It supplies Overbeck.\n";
    let section = "# Calder Water Company\n\nCalder Water Company is a firm.\n\n## Reservoirs of the company\n\n- Tarn Head\n- Lower \
                   Moor\n";
    check(
        WATER,
        &[
            (record, &["Tarn Head OPERATED_BY Calder Water", "Tarn Head.built = 1911"]),
            (list, &[]),
            (
                section,
                &[
                    "Lower Moor OPERATED_BY Calder Water Company",
                    "Tarn Head OPERATED_BY Calder Water Company",
                ],
            ),
        ],
    );
}

#[test]
fn orders_state_nothing_of_the_topic() {
    let text = "# Anselm Reservoir\n\nThe reservoir is old.\n\nSupply Tarn Head first.\n";
    check(WATER, &[(text, &[])]);
}

#[test]
fn pronouns_and_orders_are_no_names() {
    const CLOUD: &str = "
nodes: {Department: {}, Tool: {}}
relationships: {USES: {from: [Department], to: [Tool]}, INCLUDES: {from: [Tool], to: [Tool]}}
";
    check(
        CLOUD,
        &[
            (
                "The department Information Technology (IT) uses the tool Falcon.",
                &["Information Technology USES Falcon"],
            ),
            (
                "Choose sizes with care, including the tool Kite. Use shared tools, including the tool Kite.",
                &[],
            ),
        ],
    );
}

/// `Brede River` takes the first word of the known name `River Board` for the word for its type.
#[test]
fn a_name_may_begin_where_the_word_for_another_ends() {
    let ontology = WATER.replace("Company: {", "Company: {aliases: {River Board: []}, ");
    let text = "The river Brede feeds Anselm Reservoir.\n\nIn Brede River Board this river has a friend. Anselm Reservoir is operated by \
                Calder Water.";
    assert_eq!(
        super::stated(&ontology, "page.md", text),
        ["Anselm Reservoir FED_BY Brede", "Anselm Reservoir OPERATED_BY Calder Water"]
    );
}
