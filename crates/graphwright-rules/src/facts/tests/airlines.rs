//! Airlines and airports: hubs, alliances, services that ended.

use super::check;

const ONTOLOGY: &str = "
nodes:
  Airline: {synonyms: [carrier], properties: {fleet: {type: integer, synonyms: [aircraft]}, founded: {type: integer, description: Year of foundation.}, hub_city: {type: string}}, aliases: {Norda Air: [], Blue Wing: [], Kestrel Airways: []}}
  Airport: {properties: {runways: {type: integer}, passengers: {type: integer, description: Passengers a year in millions., synonyms: [annual passengers]}, code: {type: string}, elevation_m: {type: integer, synonyms: [elevation]}}, aliases: {Tarn Airport: [], Halve International: [Halve], Sorrel Field: []}}
  Alliance: {aliases: {SkyRing: []}}
  Model: {synonyms: [aircraft type], aliases: {AeroLine 40: [], Vista 9: []}}
  Person: {synonyms: [chief executive, executive], aliases: {Rut Olsen: [], Jan Pek: []}}
relationships:
  BASED_AT: {from: [Airline], to: [Airport], synonyms: [hub, base, home airport]}
  FLIES_TO: {from: [Airline], to: [Airport], synonyms: [destination]}
  MEMBER_OF: {from: [Airline], to: [Alliance], synonyms: [member]}
  OPERATES: {from: [Airline], to: [Model]}
  RUN_BY: {from: [Airline], to: [Person], synonyms: [chief executive, head]}
  SUBSIDIARY_OF: {from: [Airline], to: [Airline], synonyms: [parent, parent company]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "Norda Air, based at Tarn Airport, flies to Halve International and Sorrel Field.",
                &["Norda Air FLIES_TO Halve International", "Norda Air FLIES_TO Sorrel Field"],
            ),
            ("Norda Air's hub is Tarn Airport.", &["Norda Air BASED_AT Tarn Airport"]),
            ("Tarn Airport is the hub of Norda Air.", &["Norda Air BASED_AT Tarn Airport"]),
            (
                "Tarn Airport, the hub of Norda Air, has three runways.",
                &["Norda Air BASED_AT Tarn Airport", "Tarn Airport.runways = 3"],
            ),
            ("Norda Air is a founding member of SkyRing.", &["Norda Air MEMBER_OF SkyRing"]),
            (
                "The members of SkyRing are Norda Air and Blue Wing.",
                &["Norda Air MEMBER_OF SkyRing", "Blue Wing MEMBER_OF SkyRing"],
            ),
            ("Blue Wing is a subsidiary of Norda Air.", &["Blue Wing SUBSIDIARY_OF Norda Air"]),
            (
                "Blue Wing, a subsidiary of Norda Air, operates the Vista 9.",
                &["Blue Wing SUBSIDIARY_OF Norda Air", "Blue Wing OPERATES Vista 9"],
            ),
            (
                "Norda Air, the parent company of Blue Wing, has a fleet of 42 aircraft.",
                &["Norda Air.fleet = 42"],
            ),
            (
                "Norda Air operates the AeroLine 40, Blue Wing the Vista 9.",
                &["Norda Air OPERATES AeroLine 40"],
            ),
            ("Norda Air resumed flying to Sorrel Field.", &["Norda Air FLIES_TO Sorrel Field"]),
            (
                "Norda Air, run by Rut Olsen, was founded in 1968.",
                &["Norda Air RUN_BY Rut Olsen", "Norda Air.founded = 1968"],
            ),
            (
                "Both Norda Air and Blue Wing fly to Halve.",
                &["Norda Air FLIES_TO Halve International", "Blue Wing FLIES_TO Halve International"],
            ),
            ("Only Norda Air flies to Sorrel Field.", &["Norda Air FLIES_TO Sorrel Field"]),
            (
                "Destinations of Norda Air include Halve International and Sorrel Field.",
                &["Norda Air FLIES_TO Halve International", "Norda Air FLIES_TO Sorrel Field"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("Norda Air left SkyRing in 2020.", &[]),
            ("Norda Air does not fly to Sorrel Field.", &[]),
            ("Norda Air suspended its flights to Sorrel Field.", &[]),
            ("Norda Air has stopped flying to Sorrel Field.", &[]),
            ("Norda Air announced that it would fly to Sorrel Field from 2026.", &[]),
            ("Norda Air is considering flights to Sorrel Field.", &[]),
            ("Norda Air intends to order the Vista 9.", &[]),
            ("Norda Air retired its last AeroLine 40 in 2019.", &[]),
            ("Norda Air replaced the AeroLine 40 with the Vista 9.", &[]),
            ("Jan Pek, who ran Norda Air until 2018, now advises it.", &[]),
            ("Halve International is 340 m above sea level.", &[]),
            ("Neither Norda Air nor Blue Wing flies to Sorrel Field.", &[]),
        ],
    );
}
