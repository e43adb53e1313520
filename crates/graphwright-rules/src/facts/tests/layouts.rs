//! What the layout of a page says: columns of types, fields among sentences, brackets, headings and titles of people.

use super::{check, stated};

const ZOO: &str = "
nodes:
  Animal: {properties: {diet: {type: string, enum: [Herbivore, Carnivore]}, arrived: {type: date}}}
  Keeper: {synonyms: [member], properties: {born: {type: integer}, died: {type: integer}}}
  House: {synonyms: [enclosure], properties: {opened: {type: integer, description: Year of opening.}}}
relationships:
  LIVES_IN_HOUSE: {from: [Animal], to: [House], synonyms: [home]}
  HEADS: {from: [Keeper], to: [House], synonyms: [head]}
  WORKS_IN: {from: [Keeper], to: [House], synonyms: [house member]}
  ON_DUTY_FOR: {from: [Keeper], to: [House], synonyms: [on-duty contact], cues: [is on duty for]}
";

#[test]
fn a_column_says_the_type_of_each_row() {
    let table = "name,kind,head,home\nAquarium,House,Iris Vale,\nBoris,Animal,,Bear Cave\n";
    assert_eq!(
        stated(ZOO, "stock.csv", table),
        ["Boris LIVES_IN_HOUSE Bear Cave", "Iris Vale HEADS Aquarium"]
    );
}

#[test]
fn fields_stand_in_list_items_and_among_sentences() {
    let page = "# Houses\n\nAviary\n: Head: Iris Vale. Members: Theo Lund, Mara Quist. Opened 1931.\n";
    assert_eq!(
        stated(ZOO, "page.md", page),
        [
            "Aviary.opened = 1931",
            "Iris Vale HEADS Aviary",
            "Mara Quist WORKS_IN Aviary",
            "Theo Lund WORKS_IN Aviary"
        ]
    );
}

#[test]
fn a_name_ends_with_the_line_of_its_field() {
    let page = "# Aviary House\n\nHead: Iris Vale\nOn-duty contact: Theo Lund\n\nMara Quist is on duty for the Aviary House.";
    assert_eq!(
        stated(ZOO, "page.md", page),
        [
            "Iris Vale HEADS Aviary House",
            "Mara Quist ON_DUTY_FOR Aviary House",
            "Theo Lund ON_DUTY_FOR Aviary House"
        ]
    );
}

#[test]
fn brackets_tell_of_the_name_before() {
    let page = "# Aviary House\n\nHome: Boris (carnivore)\n";
    assert_eq!(stated(ZOO, "page.md", page), ["Boris LIVES_IN_HOUSE Aviary House", "Boris.diet = Carnivore"]);
}

#[test]
fn nothing_of_a_draft_is_a_fact() {
    let page = "# Draft list of 2031\n\n| House | Head |\n| --- | --- |\n| Aviary | Iris Vale |\n";
    assert!(stated(ZOO, "page.md", page).is_empty());
}

#[test]
fn titles_and_short_first_names_are_of_one_person() {
    check(
        ZOO,
        &[
            (
                "# Aviary House, 3 May 2024\n\nHead: Cllr Vale\n\nIris Vale heads the Reptile House.",
                &["Iris Vale HEADS Aviary House", "Iris Vale HEADS Reptile House"],
            ),
            (
                "Patricia Vale heads the Aviary House. Pat Vale heads the Reptile House.",
                &["Patricia Vale HEADS Aviary House", "Patricia Vale HEADS Reptile House"],
            ),
            ("Two head the Aviary House.", &[]),
        ],
    );
}

#[test]
fn a_noun_without_possessor_is_of_the_page() {
    check(
        ZOO,
        &[
            ("# Aviary House\n\nThe head is Iris Vale.", &["Iris Vale HEADS Aviary House"]),
            ("# Aviary House\n\nThe head is not Iris Vale.", &[]),
            ("# Boris the animal\n\nThe head is Iris Vale.", &[]),
        ],
    );
}
