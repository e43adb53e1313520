//! Entries of catalogues: headwords, fragments without verbs, abbreviations, and headings that say what all below are.

use super::stated;

const STUD_BOOK: &str = "
nodes:
  Horse: {synonyms: [pony], properties: {breed: {type: string, enum: [hackney, shire]}, foaled: {type: integer, description: Year of birth.}, height_cm: {type: integer}, colour: {type: string}, branded: {type: boolean}}}
  Breeder: {description: A person who bred horses., synonyms: [owner]}
  Stud: {synonyms: [stable]}
  Prize: {synonyms: [cup]}
relationships:
  BRED_BY: {from: [Horse], to: [Breeder]}
  FOALED_AT: {from: [Horse], to: [Stud], synonyms: [stud]}
  DESCENDS_FROM: {from: [Horse], to: [Horse], synonyms: [parents, pedigree]}
  WON: {from: [Horse], to: [Prize]}
";

#[test]
fn entries_under_a_value_have_it() {
    let page = "# Hackneys\n\n**'Silver Bess'** (syn. 'Old Bess'). Grey.\n\n**'Kingmaker'**. Branded.\n\n\
                ## Advice to buyers\n\nAsk for a lead rope.\n\n'Old Bess' won the Harrow Cup.\n";
    assert_eq!(
        stated(STUD_BOOK, "horses.md", page),
        ["Kingmaker.breed = hackney", "Silver Bess WON Harrow Cup", "Silver Bess.breed = hackney",]
    );
}

#[test]
fn fragments_speak_of_their_entry() {
    let page = "# Shires\n\n- **'Young Tom'** ('Kingmaker' × 'Silver Bess') – 172 cm, grey with white socks. Foal. 1881 at the stable Low \
                Farm, bred by the breeder Ada Lowe. Unbranded.\n- **'Tom Thumb'** – a bay son of 'Young Tom', bred by the breeder Ada Lowe. Harrow Cup, 1884.\n";
    assert_eq!(stated(STUD_BOOK, "horses.md", page), ["Tom Thumb.breed = shire", "Young Tom.breed = shire",]);
}

#[test]
fn what_a_fragment_denies_or_measures_otherwise_is_not_stated() {
    let page = "# Hackneys\n\n**'Silver Bess'**. 300 m from the gate. Not branded. Never won the Harrow Cup.\n\n\
                p. 4   For \"Silver Bess, bred by the breeder Ada Lowe\" read \"bred by the breeder Tom Orr\".\n";
    assert_eq!(
        stated(STUD_BOOK, "horses.md", page),
        ["Silver Bess.branded = false", "Silver Bess.breed = hackney"]
    );
}
