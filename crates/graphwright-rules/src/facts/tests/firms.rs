//! Firms and ships: roles that change, ages, money, units, alternatives, echoes.

use super::check;

const ONTOLOGY: &str = "
nodes:
  Firm: {synonyms: [company, foundation, sponsor], properties: {headquarters: {type: string, synonyms: [seat, head office]}, founded: {type: integer, description: Year of foundation.}, staff: {type: integer, synonyms: [employees]}, revenue: {type: float, description: In millions of euros., synonyms: [turnover, sales]}, listed: {type: boolean, synonyms: [publicly listed]}, sector: {type: string, enum: [energy, retail, shipping]}}, aliases: {Halden Energy: [HE], Quist Retail: [], Bergen Lines: [], North Sea Ferries: []}}
  Person: {synonyms: [manager, executive], properties: {age: {type: integer}, nationality: {type: string}}, aliases: {Mia Krag: [], Ole Vinter: [], Sara Lund: []}}
  Product: {synonyms: [brand], aliases: {Velo Cargo: [], Heatloop: []}}
  City: {aliases: {Bergfurt: [], Oslo: []}}
  Vessel: {synonyms: [ship, ferry], properties: {length_m: {type: float, synonyms: [length]}, built: {type: integer}, flag: {type: string}, passengers: {type: integer, synonyms: [capacity]}}, aliases: {Aurora: [], Sea Lark: []}}
relationships:
  CEO_OF: {from: [Person], to: [Firm], synonyms: [chief executive, CEO]}
  OWNS: {from: [Firm, Person], to: [Firm], synonyms: [owner, parent company]}
  MAKES: {from: [Firm], to: [Product], synonyms: [manufacturer, maker]}
  OPERATES: {from: [Firm], to: [Vessel], synonyms: [operator]}
  SUPPLIES: {from: [Firm], to: [Firm], synonyms: [supplier]}
  WORKS_FOR: {from: [Person], to: [Firm], synonyms: [employee, employer]}
  BORN_IN: {from: [Person], to: [City], synonyms: [birthplace]}
  ACQUIRED: {from: [Firm], to: [Firm], synonyms: [acquisition]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "Halden Energy, founded in 1987, has its headquarters in Bergfurt.",
                &["Halden Energy.founded = 1987"],
            ),
            (
                "Halden Energy, whose head office is in Oslo, has 1,200 employees.",
                &["Halden Energy.staff = 1200"],
            ),
            ("Halden Energy's chief executive, Mia Krag, was born in Oslo.", &["Mia Krag BORN_IN Oslo"]),
            (
                "Mia Krag, who will lead Halden Energy from June, was born in Oslo.",
                &["Mia Krag BORN_IN Oslo"],
            ),
            ("Halden Energy wholly owns Quist Retail.", &["Halden Energy OWNS Quist Retail"]),
            (
                "Quist Retail, a subsidiary of Halden Energy, makes Velo Cargo.",
                &["Quist Retail MAKES Velo Cargo"],
            ),
            (
                "Velo Cargo is made by Quist Retail and Heatloop by Halden Energy.",
                &["Quist Retail MAKES Velo Cargo"],
            ),
            (
                "Quist Retail, the maker of Velo Cargo, has a turnover of €40.5 million.",
                &["Quist Retail MAKES Velo Cargo", "Quist Retail.revenue = 40.5"],
            ),
            ("The turnover of Quist Retail is 40.5 million euros.", &["Quist Retail.revenue = 40.5"]),
            (
                "The ferry Aurora is operated by North Sea Ferries, the Sea Lark by Bergen Lines.",
                &["North Sea Ferries OPERATES Aurora"],
            ),
            (
                "North Sea Ferries operates two ferries, Aurora and Sea Lark.",
                &["North Sea Ferries OPERATES Aurora", "North Sea Ferries OPERATES Sea Lark"],
            ),
            (
                "North Sea Ferries operates the following ferries: Aurora and Sea Lark.",
                &["North Sea Ferries OPERATES Aurora", "North Sea Ferries OPERATES Sea Lark"],
            ),
            (
                "The Aurora, a ferry of 183 metres built in 2004, carries 900 passengers.",
                &["Aurora.passengers = 900"],
            ),
            (
                "The Aurora was built in 2004 and is 183 m long.",
                &["Aurora.built = 2004", "Aurora.length_m = 183.0"],
            ),
            ("The Aurora is 0.2 km long.", &["Aurora.length_m = 200.0"]),
            ("Bergen Lines supplies Quist Retail.", &["Bergen Lines SUPPLIES Quist Retail"]),
            ("Bergen Lines is a supplier of Quist Retail.", &["Bergen Lines SUPPLIES Quist Retail"]),
            ("Halden Energy acquired Quist Retail in 2015.", &["Halden Energy ACQUIRED Quist Retail"]),
            ("Quist Retail was acquired in 2015 by Halden Energy.", &["Halden Energy ACQUIRED Quist Retail"]),
            (
                "Halden Energy completed its acquisition of Quist Retail in 2015.",
                &["Halden Energy ACQUIRED Quist Retail"],
            ),
            (
                "Halden Energy, an energy company, acquired Quist Retail, a retail company.",
                &["Halden Energy ACQUIRED Quist Retail", "Halden Energy.sector = energy"],
            ),
            ("Sara Lund works for Bergen Lines.", &["Sara Lund WORKS_FOR Bergen Lines"]),
            (
                "Sara Lund, who works for Bergen Lines, was born in Oslo.",
                &["Sara Lund WORKS_FOR Bergen Lines", "Sara Lund BORN_IN Oslo"],
            ),
            (
                "Ole Vinter used to work for Bergen Lines but now works for Quist Retail.",
                &["Ole Vinter WORKS_FOR Quist Retail"],
            ),
            ("Unlike Sara Lund, Ole Vinter works for Bergen Lines.", &["Ole Vinter WORKS_FOR Bergen Lines"]),
            ("Bergen Lines is not publicly listed.", &["Bergen Lines.listed = false"]),
            (
                "Bergen Lines (founded 1931, 240 employees) operates the Sea Lark.",
                &[
                    "Bergen Lines.founded = 1931",
                    "Bergen Lines.staff = 240",
                    "Bergen Lines OPERATES Sea Lark",
                ],
            ),
            ("In 1931 Ole Vinter founded Bergen Lines.", &["Bergen Lines.founded = 1931"]),
            (
                "The Sea Lark was operated by Bergen Lines until 2010 and is now operated by North Sea Ferries.",
                &["North Sea Ferries OPERATES Sea Lark"],
            ),
            (
                "The Sea Lark is no longer operated by Bergen Lines; its operator is North Sea Ferries.",
                &["North Sea Ferries OPERATES Sea Lark"],
            ),
            (
                "The Sea Lark is operated by North Sea Ferries rather than by Bergen Lines.",
                &["North Sea Ferries OPERATES Sea Lark"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(
        ONTOLOGY,
        &[
            ("Mia Krag stepped down as chief executive of Halden Energy in 2019.", &[]),
            ("Mia Krag is to become chief executive of Halden Energy.", &[]),
            ("Ole Vinter, then chief executive of Quist Retail, resigned.", &[]),
            ("Ole Vinter had been chief executive of Quist Retail before Sara Lund.", &[]),
            ("Halden Energy failed to acquire Quist Retail.", &[]),
            ("Halden Energy's bid to acquire Quist Retail collapsed.", &[]),
            ("Halden Energy's planned acquisition of Quist Retail was abandoned.", &[]),
            ("Talks on the acquisition of Quist Retail by Halden Energy broke down.", &[]),
            ("Sara Lund left Bergen Lines in 2020.", &[]),
            ("Sara Lund no longer works for Bergen Lines.", &[]),
            ("Ole Vinter has never worked for Bergen Lines.", &[]),
            ("The rumour that Ole Vinter works for Bergen Lines is false.", &[]),
            ("Ole Vinter might work for Bergen Lines.", &[]),
            ("The Sea Lark flies the Norwegian flag.", &[]),
            ("The Sea Lark will be operated by Bergen Lines.", &[]),
            ("North Sea Ferries operates no ferries except the Aurora.", &[]),
            ("All ferries except the Aurora are operated by Bergen Lines.", &[]),
            ("Either Bergen Lines or North Sea Ferries operates the Aurora.", &[]),
        ],
    );
}
