//! Plants and gardens: origins, collectors, sizes, doubts.

use super::check;

const ONTOLOGY: &str = "
nodes:
  Plant: {synonyms: [species, tree, shrub, specimen, cultivar], properties: {height_m: {type: float, synonyms: [height]}, planted: {type: integer, description: Year in which it was planted.}, evergreen: {type: boolean}, colour: {type: string, enum: [red, white, blue, yellow], synonyms: [flower colour]}, family: {type: string}}, aliases: {Velora minor: [], Quercus harlandii: [], Velora major: []}}
  Garden: {synonyms: [arboretum, park], properties: {area_ha: {type: float, synonyms: [area, size]}, opened: {type: date}, visitors: {type: integer, description: Visitors a year.}}}
  Glasshouse: {synonyms: [greenhouse, hothouse]}
  Botanist: {synonyms: [collector, gardener, curator]}
  Region: {description: A part of the world where plants grow wild., synonyms: [country]}
  Pest: {synonyms: [disease, insect]}
relationships:
  NATIVE_TO: {from: [Plant], to: [Region], synonyms: [native range, origin]}
  COLLECTED_BY: {from: [Plant], to: [Botanist], synonyms: [collector]}
  GROWS_IN: {from: [Plant], to: [Garden, Glasshouse], synonyms: [location]}
  BELONGS_TO: {from: [Glasshouse], to: [Garden]}
  CURATED_BY: {from: [Garden, Glasshouse], to: [Botanist], synonyms: [curator]}
  ATTACKED_BY: {from: [Plant], to: [Pest]}
  NAMED_AFTER: {from: [Plant], to: [Botanist]}
  DESCRIBED_BY: {from: [Plant], to: [Botanist], description: The botanist first described the plant.}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            ("The shrub Velora minor is native to the region Arvenia.", &["Velora minor NATIVE_TO Arvenia"]),
            (
                "The tree Quercus harlandii, native to the country Tamoria, grows in the Marlow Arboretum.",
                &["Quercus harlandii GROWS_IN Marlow Arboretum"],
            ),
            (
                "Collected by the botanist Ilse Harland in 1896, the tree Quercus harlandii was planted in 1901.",
                &["Quercus harlandii COLLECTED_BY Ilse Harland", "Quercus harlandii.planted = 1901"],
            ),
            (
                "The tree Quercus harlandii is named after the botanist Ilse Harland, who described it in 1899.",
                &[
                    "Quercus harlandii NAMED_AFTER Ilse Harland",
                    "Quercus harlandii DESCRIBED_BY Ilse Harland",
                ],
            ),
            (
                "The Marlow Arboretum, opened on 4 May 1878, has 210,000 visitors a year.",
                &["Marlow Arboretum.opened = 1878-05-04"],
            ),
            (
                "The curator of the Marlow Arboretum is the botanist Owen Price.",
                &["Marlow Arboretum CURATED_BY Owen Price"],
            ),
            (
                "The botanist Owen Price has curated the Marlow Arboretum since 2004.",
                &["Marlow Arboretum CURATED_BY Owen Price"],
            ),
            (
                "The Fern Glasshouse belongs to the Marlow Arboretum.",
                &["Fern Glasshouse BELONGS_TO Marlow Arboretum"],
            ),
            ("The tree Quercus harlandii is 18 m high.", &["Quercus harlandii.height_m = 18.0"]),
            (
                "The tree Quercus harlandii reaches a height of 18 metres.",
                &["Quercus harlandii.height_m = 18.0"],
            ),
            (
                "The shrub Velora minor, whose flower colour is red, is attacked by the insect Green Borer.",
                &["Velora minor.colour = red", "Velora minor ATTACKED_BY Green Borer"],
            ),
            (
                "The insect Green Borer attacks the shrub Velora minor.",
                &["Velora minor ATTACKED_BY Green Borer"],
            ),
            (
                "The botanist Ilse Harland collected the tree Quercus harlandii but not the shrub Velora minor.",
                &["Quercus harlandii COLLECTED_BY Ilse Harland"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("The shrub Velora minor has red flowers.", &[]),
            ("The shrub Velora minor is sometimes confused with the shrub Velora major.", &[]),
            ("No specimen of the tree Quercus harlandii grows in the Marlow Arboretum.", &[]),
            ("The tree Quercus harlandii is thought to be native to the country Tamoria.", &[]),
            ("The tree Quercus harlandii no longer grows in the Marlow Arboretum.", &[]),
            ("The shrub Velora minor will be planted in the Fern Glasshouse.", &[]),
            ("A new glasshouse is planned for the Marlow Arboretum.", &[]),
            ("The botanist Ilse Harland is believed to have collected the shrub Velora minor.", &[]),
            ("Whether the botanist Ilse Harland collected the shrub Velora minor is unknown.", &[]),
        ],
    );
}
