use super::check;

const SOFTWARE: &str = "
nodes:
  Service:
    synonyms: [microservice]
    properties:
      language: {type: string, enum: [Go, Python, Rust], synonyms: [programming language, written in]}
      tier: {type: integer}
      launched: {type: date}
      status: {type: string, enum: [active, deprecated, retired]}
    aliases: {Ledger: [], Checkout: [], Harbor: [harbor-svc]}
  Library: {aliases: {zephyr-core: [], Mistral: [], auth-lib-v2: [v2 auth-lib]}}
  Team: {aliases: {Team Heron: [], Team Osprey: []}}
relationships:
  DEPENDS_ON: {from: [Service], to: [Library, Service], cues: [depends on, uses], synonyms: [dependency]}
  OWNED_BY: {from: [Service], to: [Team], cues: [is owned by], synonyms: [owner]}
";

#[test]
fn software() {
    check(
        SOFTWARE,
        &[
            ("Ledger depends on Mistral.", &["Ledger DEPENDS_ON Mistral"]),
            (
                "Ledger depends heavily on Mistral, zephyr-core and auth-lib-v2.",
                &[
                    "Ledger DEPENDS_ON Mistral",
                    "Ledger DEPENDS_ON auth-lib-v2",
                    "Ledger DEPENDS_ON zephyr-core",
                ],
            ),
            (
                "Ledger and Checkout both use Mistral.",
                &["Checkout DEPENDS_ON Mistral", "Ledger DEPENDS_ON Mistral"],
            ),
            (
                "Ledger and Checkout use Mistral and zephyr-core, respectively.",
                &["Checkout DEPENDS_ON zephyr-core", "Ledger DEPENDS_ON Mistral"],
            ),
            (
                "Mistral is used by Ledger and by Checkout.",
                &["Checkout DEPENDS_ON Mistral", "Ledger DEPENDS_ON Mistral"],
            ),
            ("Ledger does not use Mistral.", &[]),
            ("Ledger no longer depends on Mistral.", &[]),
            ("Ledger never used Mistral.", &[]),
            ("Neither Ledger nor Checkout uses Mistral.", &[]),
            ("Ledger used to depend on Mistral.", &[]),
            ("Ledger used Mistral until 2021.", &[]),
            (
                "Until 2021, Ledger used Mistral, but it now uses zephyr-core.",
                &["Ledger DEPENDS_ON zephyr-core"],
            ),
            ("Ledger will use Mistral next year.", &[]),
            ("Team Heron plans to make Ledger depend on Mistral.", &[]),
            ("If the load grows, Ledger uses Mistral.", &[]),
            ("Does Ledger use Mistral?", &[]),
            ("Ledger could use Mistral.", &[]),
            (
                "Ledger, which is owned by Team Heron, uses Mistral.",
                &["Ledger DEPENDS_ON Mistral", "Ledger OWNED_BY Team Heron"],
            ),
            (
                "Ledger, a Go service, depends on Mistral.",
                &["Ledger DEPENDS_ON Mistral", "Ledger.language = Go"],
            ),
            ("Ledger is a tier 1 service written in Go.", &["Ledger.language = Go", "Ledger.tier = 1"]),
            (
                "Ledger is written in Rust and owned by Team Heron.",
                &["Ledger OWNED_BY Team Heron", "Ledger.language = Rust"],
            ),
            (
                "Ledger was launched on 3 May 2021. It uses Mistral.",
                &["Ledger DEPENDS_ON Mistral", "Ledger.launched = 2021-05-03"],
            ),
            (
                "Team Heron owns Ledger and Checkout.",
                &["Checkout OWNED_BY Team Heron", "Ledger OWNED_BY Team Heron"],
            ),
            ("The owner of Ledger is Team Heron.", &["Ledger OWNED_BY Team Heron"]),
            ("Ledger's owner is Team Heron.", &["Ledger OWNED_BY Team Heron"]),
            ("Team Heron is the owner of Ledger.", &["Ledger OWNED_BY Team Heron"]),
            ("Team Heron, owner of Ledger, is based in Rome.", &["Ledger OWNED_BY Team Heron"]),
            ("The former owner of Ledger is Team Osprey.", &[]),
            ("Ledger was owned by Team Osprey.", &[]),
            (
                "Ledger was formerly owned by Team Osprey and is now owned by Team Heron.",
                &["Ledger OWNED_BY Team Heron"],
            ),
            ("Ledger's dependency on Mistral slows the build.", &["Ledger DEPENDS_ON Mistral"]),
            ("Mistral is a dependency of Ledger.", &["Ledger DEPENDS_ON Mistral"]),
            (
                "Ledger uses Mistral and Checkout uses zephyr-core.",
                &["Checkout DEPENDS_ON zephyr-core", "Ledger DEPENDS_ON Mistral"],
            ),
            ("The new payments service Nimbus depends on Mistral.", &["Nimbus DEPENDS_ON Mistral"]),
            ("Ledger is deprecated.", &["Ledger.status = deprecated"]),
            ("Ledger is not deprecated.", &[]),
            ("We considered using Mistral in Ledger.", &[]),
            ("Ledger runs without Mistral.", &[]),
            ("The service Ledger uses Mistral but not zephyr-core.", &["Ledger DEPENDS_ON Mistral"]),
            ("There is no evidence that Ledger uses Mistral.", &[]),
            ("Ledger depends on Mistral or zephyr-core.", &[]),
        ],
    );
}

const MEDICINE: &str = "
nodes:
  Drug: {synonyms: [medicine, medication]}
  Condition: {synonyms: [disease, disorder]}
  Company: {properties: {founded: {type: integer}, employees: {type: integer}}}
relationships:
  TREATS: {from: [Drug], to: [Condition]}
  INTERACTS_WITH: {from: [Drug], to: [Drug]}
  MANUFACTURED_BY: {from: [Drug], to: [Company]}
";

#[test]
fn medicine() {
    check(
        MEDICINE,
        &[
            (
                "Zelvaprine is manufactured by Orbis Pharma, a company founded in 1987.",
                &["Orbis Pharma.founded = 1987"],
            ),
            ("Zelvaprine has not been shown to treat Marlow Syndrome.", &[]),
            ("Zelvaprine may treat Marlow Syndrome.", &[]),
            ("Orbis Pharma denied that Zelvaprine interacts with Torvadil.", &[]),
            ("The company Orbis Pharma has 1,200 employees.", &["Orbis Pharma.employees = 1200"]),
        ],
    );
}

const PEOPLE: &str = "
nodes:
  Person: {description: A person who works for the organisation., properties: {role: {type: string, synonyms: [position]}}}
  Organization: {synonyms: [company, firm, organisation], properties: {headquarters: {type: string}, founded: {type: date}}}
  City: {}
relationships:
  WORKS_FOR: {from: [Person], to: [Organization]}
  MANAGES: {from: [Person], to: [Person], synonyms: [manager], inverse_cues: [reports to]}
  LOCATED_IN: {from: [Organization], to: [City]}
  ACQUIRED: {from: [Organization], to: [Organization]}
  FOUNDED_BY: {from: [Organization], to: [Person]}
";

#[test]
fn people_and_firms() {
    check(
        PEOPLE,
        &[
            ("Dr. Ana Ruiz works for Northwind Corp. in Lisbon.", &["Dr. Ana Ruiz WORKS_FOR Northwind Corp"]),
            ("Ana Ruiz reports to Tom Hale.", &["Tom Hale MANAGES Ana Ruiz"]),
            ("Ana Ruiz's manager is Tom Hale.", &["Tom Hale MANAGES Ana Ruiz"]),
            ("Northwind plans to acquire Southgate.", &[]),
            ("Ana Ruiz used to work for Northwind.", &[]),
            ("Ana Ruiz worked for Northwind from 2010 to 2015.", &[]),
            ("Tom Hale manages Ana Ruiz. He works for Northwind.", &["Tom Hale MANAGES Ana Ruiz"]),
            ("Northwind would acquire Southgate if regulators agreed.", &[]),
        ],
    );
}

const MUSEUM: &str = "
nodes:
  Artwork: {synonyms: [painting, sculpture, work], properties: {year: {type: integer, synonyms: [created]}, medium: {type: string, enum: [oil on canvas, bronze, watercolour]}}}
  Artist: {synonyms: [painter, sculptor]}
  Museum: {synonyms: [gallery]}
relationships:
  CREATED_BY: {from: [Artwork], to: [Artist], cues: [was painted by, was created by], synonyms: [artist]}
  HELD_AT: {from: [Artwork], to: [Museum], cues: [is held at, hangs in]}
";

#[test]
fn museum() {
    check(
        MUSEUM,
        &[
            ("\"The Grey Tide\" was painted by Karin Holt.", &["The Grey Tide CREATED_BY Karin Holt"]),
            ("Karin Holt painted *The Grey Tide*.", &["The Grey Tide CREATED_BY Karin Holt"]),
            (
                "Karin Holt painted **Low Water**, which hangs in the Holm Gallery.",
                &["Low Water CREATED_BY Karin Holt", "Low Water HELD_AT Holm Gallery"],
            ),
            ("**Low Water** is held at the Holm Gallery.", &["Low Water HELD_AT Holm Gallery"]),
            ("**Low Water** was held at the Holm Gallery until 1950.", &[]),
        ],
    );
}

const LAW: &str = "
nodes:
  Case: {}
  Judge: {description: A person who decides cases.}
  Court: {}
  Statute: {synonyms: [act, law]}
relationships:
  CITES: {from: [Case], to: [Statute, Case]}
  DECIDED_BY: {from: [Case], to: [Judge]}
  HEARD_IN: {from: [Case], to: [Court]}
  OVERRULES: {from: [Case], to: [Case]}
";

#[test]
fn law() {
    check(
        LAW,
        &[
            (
                "Case 12/2019 cites the Data Act and the Harbours Act.",
                &["Case 12/2019 CITES Data Act", "Case 12/2019 CITES Harbours Act"],
            ),
            (
                "Case 12/2019 was decided by Judge Mara Lind and heard in the Northern Court.",
                &["Case 12/2019 DECIDED_BY Judge Mara Lind", "Case 12/2019 HEARD_IN Northern Court"],
            ),
            ("Judge Mara Lind decided Case 12/2019.", &["Case 12/2019 DECIDED_BY Judge Mara Lind"]),
            ("Case 12/2019 did not overrule Case 3/2001.", &[]),
        ],
    );
}

const LOGISTICS: &str = "
nodes:
  Vessel: {synonyms: [ship], properties: {capacity_teu: {type: integer, synonyms: [capacity]}, flag: {type: string}, built: {type: integer}}}
  Port: {properties: {cranes: {type: integer}}}
  Carrier: {synonyms: [shipping line]}
relationships:
  CALLS_AT: {from: [Vessel], to: [Port]}
  OPERATED_BY: {from: [Vessel], to: [Carrier]}
";

#[test]
fn logistics() {
    check(
        LOGISTICS,
        &[
            ("Aurora Star, a ship built in 2011, calls at Riga.", &["Aurora Star.built = 2011"]),
            ("The port of Riga has 14 cranes.", &[]),
            ("Aurora Star is expected to call at Riga.", &[]),
            ("From next spring, Aurora Star calls at Riga.", &[]),
        ],
    );
}
