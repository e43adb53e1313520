//! Question forms on small graphs of several fields, without an ontology: the words come from the graph's own names.

use crate::support::{check, plainly};

const CLINIC: &str = "
    Patient Rosa Keller | born = 1950-02-03
    Patient Imran Sethi | born = 1988-11-20
    Patient Lena Brandt | born = 1971-06-30
    Doctor Nadia Haddad | specialty = cardiology
    Doctor Tom Okafor | specialty = oncology
    Drug Bisorol | dose = 5
    Drug Calmipax | dose = 20
    Illness angina
    Illness asthma
    Ward Ward 3 | beds = 24
    Ward Ward 7 | beds = 12
    Doctor Nadia Haddad -TREATS-> Patient Rosa Keller | since = 2021-05-01
    Doctor Nadia Haddad -TREATS-> Patient Imran Sethi | since = 2023-01-15
    Doctor Tom Okafor -TREATS-> Patient Lena Brandt | since = 2022-09-09
    Patient Rosa Keller -SUFFERS_FROM-> Illness angina
    Patient Imran Sethi -SUFFERS_FROM-> Illness asthma
    Patient Lena Brandt -SUFFERS_FROM-> Illness asthma
    Patient Rosa Keller -TAKES-> Drug Bisorol
    Patient Lena Brandt -TAKES-> Drug Calmipax
    Drug Bisorol -INTERACTS_WITH-> Drug Calmipax
    Patient Rosa Keller -ADMITTED_TO-> Ward Ward 3
    Patient Lena Brandt -ADMITTED_TO-> Ward Ward 7
";

const LAW: &str = "
    Case Harrow v Pike | filed = 2019-03-04; status = closed
    Case Oduya v Lanmark | filed = 2021-07-19; status = open
    Case Re Kestrel Estate | filed = 2022-02-01; status = open
    Judge Edith Marlowe
    Judge Samuel Boone
    Lawyer Priya Raman
    Lawyer Gus Tielman
    Firm Raman & Holt
    Court Northgate Court | city = Leeds
    Court Mill Street Court | city = York
    Judge Edith Marlowe -PRESIDED_OVER-> Case Harrow v Pike
    Judge Samuel Boone -PRESIDED_OVER-> Case Oduya v Lanmark
    Judge Edith Marlowe -PRESIDED_OVER-> Case Re Kestrel Estate
    Case Harrow v Pike -HEARD_AT-> Court Northgate Court
    Case Oduya v Lanmark -HEARD_AT-> Court Mill Street Court
    Case Re Kestrel Estate -HEARD_AT-> Court Mill Street Court
    Lawyer Priya Raman -REPRESENTED_A_PARTY_IN-> Case Harrow v Pike
    Lawyer Gus Tielman -REPRESENTED_A_PARTY_IN-> Case Oduya v Lanmark
    Lawyer Priya Raman -REPRESENTED_A_PARTY_IN-> Case Re Kestrel Estate
    Lawyer Priya Raman -PARTNER_OF-> Firm Raman & Holt
    Case Oduya v Lanmark -CITES-> Case Harrow v Pike
    Case Re Kestrel Estate -CITES-> Case Oduya v Lanmark
";

const LOGISTICS: &str = "
    Warehouse Delta Hub | capacity = 900
    Warehouse Quayside | capacity = 400
    Truck T-11 | capacity = 18
    Truck T-12 | capacity = 26
    Driver Ola Nyberg
    Driver Petra Voss
    Shipment S-100 | weight = 1200; shipped = 2024-02-10
    Shipment S-101 | weight = 450; shipped = 2024-03-02
    Shipment S-102 | weight = 3100; shipped = 2024-03-28
    Customer Almond & Sons
    Customer Brightwell
    Shipment S-100 -STORED_IN-> Warehouse Delta Hub
    Shipment S-101 -STORED_IN-> Warehouse Quayside
    Shipment S-102 -STORED_IN-> Warehouse Delta Hub
    Shipment S-100 -CARRIED_BY-> Truck T-11
    Shipment S-101 -CARRIED_BY-> Truck T-12
    Shipment S-102 -CARRIED_BY-> Truck T-12
    Driver Ola Nyberg -DRIVES-> Truck T-11
    Driver Petra Voss -DRIVES-> Truck T-12
    Shipment S-100 -ORDERED_BY-> Customer Almond & Sons
    Shipment S-101 -ORDERED_BY-> Customer Brightwell
    Shipment S-102 -ORDERED_BY-> Customer Brightwell
";

const STAFF: &str = "
    Employee Mira Castellan | salary = 52000; hired = 2018-04-01
    Employee Jon Brekke | salary = 61000; hired = 2020-10-12
    Employee Aiko Tanabe | salary = 47000; hired = 2022-01-03
    Employee Dario Fenn | salary = 70000; hired = 2015-08-17
    Department Finance
    Department Research
    Skill welding
    Skill bookkeeping
    Skill statistics
    Office Lisbon Office | country = Portugal
    Employee Mira Castellan -WORKS_IN-> Department Finance
    Employee Jon Brekke -WORKS_IN-> Department Research
    Employee Aiko Tanabe -WORKS_IN-> Department Research
    Employee Dario Fenn -HEADS-> Department Research
    Employee Mira Castellan -REPORTS_TO-> Employee Dario Fenn
    Employee Jon Brekke -REPORTS_TO-> Employee Dario Fenn
    Employee Aiko Tanabe -REPORTS_TO-> Employee Jon Brekke
    Employee Mira Castellan -HAS_SKILL-> Skill bookkeeping
    Employee Mira Castellan -HAS_SKILL-> Skill statistics
    Employee Aiko Tanabe -HAS_SKILL-> Skill statistics
    Employee Jon Brekke -HAS_SKILL-> Skill welding
    Department Research -BASED_IN-> Office Lisbon Office
";

const FILMS: &str = "
    Movie Iron Orchard | released = 1999; budget = 12
    Movie Paper Lanterns | released = 2004; budget = 30
    Movie The Quiet Ferry | released = 2004; budget = 8
    Person Vera Lunt | born = 1960
    Person Hugo Sand | born = 1971
    Person Inez Cole | born = 1980
    Genre drama
    Genre comedy
    Person Vera Lunt -DIRECTED-> Movie Iron Orchard
    Person Vera Lunt -DIRECTED-> Movie Paper Lanterns
    Person Hugo Sand -DIRECTED-> Movie The Quiet Ferry
    Person Hugo Sand -ACTED_IN-> Movie Iron Orchard
    Person Inez Cole -ACTED_IN-> Movie Iron Orchard
    Person Inez Cole -ACTED_IN-> Movie Paper Lanterns
    Person Inez Cole -WROTE-> Movie The Quiet Ferry
    Movie Iron Orchard -HAS_GENRE-> Genre drama
    Movie Paper Lanterns -HAS_GENRE-> Genre comedy
    Movie The Quiet Ferry -HAS_GENRE-> Genre drama
";

const WORKSHOP: &str = "
    Tool Long Jack | sort = saw; made = 1890
    Tool Short Jack | sort = saw; made = 1931
    Tool Biter | sort = vice; made = 1902
    Firm Orr & Lowe | founded = 1880
    Person Ada Lowe
    Person Tom Orr
    Tour Northern Tour | start = 1904-03-01; return = 1904-06-11
    Tool Long Jack -MADE_BY-> Firm Orr & Lowe
    Tool Short Jack -DERIVED_FROM-> Tool Long Jack
    Tool Biter -DERIVED_FROM-> Tool Short Jack
    Tool Biter -NAMED_AFTER-> Person Tom Orr
    Firm Orr & Lowe -FOUNDED_BY-> Person Ada Lowe
";

#[tokio::test]
async fn a_clinic() {
    let questions = [
        ("Which patients does Nadia Haddad treat?", "Rosa Keller; Imran Sethi"),
        ("Who treats Lena Brandt?", "Tom Okafor"),
        ("By whom is Rosa Keller treated?", "Nadia Haddad"),
        ("Which doctors treat patients who suffer from asthma?", "Nadia Haddad; Tom Okafor"),
        ("Which doctor treats the patient that takes Calmipax?", "Tom Okafor"),
        ("How many patients suffer from asthma?", "2"),
        ("Which patients do not suffer from asthma?", "Rosa Keller"),
        ("Which patients take no drug?", "Imran Sethi"),
        ("When was Imran Sethi born?", "1988-11-20"),
        ("What is the specialty of Tom Okafor?", "oncology"),
        ("What is Nadia Haddad's specialty?", "cardiology"),
        ("How many beds does Ward 7 have?", "12"),
        ("Which ward has the most beds?", "Ward 3"),
        ("Which wards have more than 20 beds?", "Ward 3"),
        ("Which patients were born before 1960?", "Rosa Keller"),
        ("Who is the youngest patient?", "Imran Sethi"),
        ("Since when has Tom Okafor treated Lena Brandt?", "2022-09-09"),
        ("Does Bisorol interact with Calmipax?", "yes"),
        ("Does Rosa Keller suffer from asthma?", "not in graph"),
        ("Which drugs interact with drugs that Lena Brandt takes?", "Bisorol"),
        ("What illness do Imran Sethi and Lena Brandt share?", "asthma"),
        ("Which patient in Ward 3 takes Bisorol?", "Rosa Keller"),
        ("Which cardiology doctors treat Rosa Keller?", "Nadia Haddad"),
        ("Which patients treated by Nadia Haddad are admitted to Ward 3?", "Rosa Keller"),
        ("Which patients treated by Nadia Haddad are not admitted to Ward 3?", "Imran Sethi"),
        ("Which patients take Zolpidem?", "not in graph"),
        ("Who founded the clinic?", "not in graph"),
        ("What is the blood type of Rosa Keller?", "not in graph"),
    ];
    check(CLINIC, &questions).await;
}

#[tokio::test]
async fn a_court() {
    let questions = [
        ("Which judge presided over Harrow v Pike?", "Edith Marlowe"),
        ("Which cases did Edith Marlowe preside over?", "Harrow v Pike; Re Kestrel Estate"),
        ("Which open cases were heard at Mill Street Court?", "Oduya v Lanmark; Re Kestrel Estate"),
        ("Which cases cite Harrow v Pike, directly or indirectly?", "Oduya v Lanmark; Re Kestrel Estate"),
        ("Which case is cited by Re Kestrel Estate?", "Oduya v Lanmark"),
        ("Which judges presided over cases that cite Harrow v Pike?", "Samuel Boone"),
        ("In which court was Oduya v Lanmark heard?", "Mill Street Court"),
        ("In which city is Northgate Court?", "Leeds"),
        ("Who is a partner of Raman & Holt?", "Priya Raman"),
        ("Which lawyer represented a party in the most cases?", "Priya Raman"),
        ("Which cases were filed after 2020?", "Oduya v Lanmark; Re Kestrel Estate"),
        ("Which case was filed first?", "Harrow v Pike"),
        ("How many cases are open?", "2"),
        ("Which cases are not open?", "Harrow v Pike"),
        ("Did Samuel Boone preside over Re Kestrel Estate?", "not in graph"),
        ("Which judge presided over a case heard at Northgate Court?", "Edith Marlowe"),
        ("What connects Samuel Boone and Mill Street Court?", "Oduya v Lanmark"),
        ("What connects Samuel Boone and Quorley?", "not in graph"),
        ("What was the verdict in Harrow v Pike?", "not in graph"),
    ];
    check(LAW, &questions).await;
}

#[tokio::test]
async fn a_haulier() {
    let questions = [
        ("Which shipments are stored in Delta Hub?", "S-100; S-102"),
        ("Who drives the truck that carries S-101?", "Petra Voss"),
        ("Which driver drives T-11?", "Ola Nyberg"),
        ("Which customers ordered shipments carried by T-12?", "Brightwell"),
        ("Which shipment is the heaviest?", "S-102"),
        ("Which shipments weigh more than 1000?", "S-100; S-102"),
        ("How many shipments did Brightwell order?", "2"),
        ("What is the capacity of Quayside?", "400"),
        ("Which shipments were shipped in March 2024?", "S-101; S-102"),
        ("When was S-100 shipped?", "2024-02-10"),
        ("Which customer ordered the fewest shipments?", "Almond & Sons"),
        ("Which shipments of Brightwell are stored in Quayside?", "S-101"),
        ("Where is S-101 stored?", "Quayside"),
        ("Which shipments are not carried by T-12?", "S-100"),
        ("Which truck has the largest capacity?", "T-12"),
        ("List all warehouses", "Delta Hub; Quayside"),
        ("How many trucks are there?", "2"),
        ("Which customer ordered the shipment that T-11 carried?", "Almond & Sons"),
        ("Which insurer covers S-100?", "not in graph"),
    ];
    check(LOGISTICS, &questions).await;
}

#[tokio::test]
async fn a_staff_list() {
    let questions = [
        ("Who heads the Research department?", "Dario Fenn"),
        ("Who works in the department that Dario Fenn heads?", "Jon Brekke; Aiko Tanabe"),
        ("Who reports to Dario Fenn?", "Mira Castellan; Jon Brekke"),
        ("Who reports directly or indirectly to Dario Fenn?", "Mira Castellan; Jon Brekke; Aiko Tanabe"),
        ("To whom does Aiko Tanabe report?", "Jon Brekke"),
        ("Which skills does Mira Castellan have?", "bookkeeping; statistics"),
        ("Which employees have statistics?", "Mira Castellan; Aiko Tanabe"),
        ("Which skill do Mira Castellan and Aiko Tanabe have in common?", "statistics"),
        ("What is the salary of Jon Brekke?", "61000"),
        ("Who has the highest salary?", "Dario Fenn"),
        ("Which employees earn a salary of at least 60000?", "Jon Brekke; Dario Fenn"),
        ("Who was hired most recently?", "Aiko Tanabe"),
        ("Which employees were hired between 2017 and 2020?", "Mira Castellan; Jon Brekke"),
        ("Which employees have more than one skill?", "Mira Castellan"),
        ("Where is the Research department based?", "Lisbon Office"),
        ("In which office is the department of Aiko Tanabe based?", "Lisbon Office"),
        ("Who is Jon Brekke's boss?", "not in graph"),
        ("Which employees work in Marketing?", "not in graph"),
    ];
    check(STAFF, &questions).await;
}

#[tokio::test]
async fn a_workshop() {
    let questions = [
        ("Which saws were made before 1900?", "Long Jack"),
        ("Which saws were made after 1900?", "Short Jack"),
        ("After whom is Biter named?", "Tom Orr"),
        ("Who founded the firm that made Long Jack?", "Ada Lowe"),
        ("When was the firm founded that made Long Jack?", "1880"),
        ("Which tools is Biter descended from, directly or indirectly?", "Short Jack; Long Jack"),
        ("Which tools are descended from Short Jack?", "Biter"),
        ("When did the Northern Tour return?", "1904-06-11"),
        ("When did the Northern Tour start?", "1904-03-01"),
    ];
    check(WORKSHOP, &questions).await;
}

#[tokio::test]
async fn a_film_list() {
    let questions = [
        ("Who directed Iron Orchard?", "Vera Lunt"),
        ("Which actors acted in Iron Orchard?", "Hugo Sand; Inez Cole"),
        ("Who is the director of The Quiet Ferry?", "Hugo Sand"),
        ("Which movies were directed by Vera Lunt?", "Iron Orchard; Paper Lanterns"),
        ("What are the genres of the films directed by Vera Lunt?", "drama; comedy"),
        ("Which films came out in 2004?", "Paper Lanterns; The Quiet Ferry"),
        ("When was Iron Orchard released?", "1999"),
        ("Which movie has the biggest budget?", "Paper Lanterns"),
        ("Which people acted in a movie and directed one?", "Hugo Sand"),
        ("Which drama movies did Inez Cole act in?", "Iron Orchard"),
        ("Who acted in a film directed by Vera Lunt?", "Hugo Sand; Inez Cole"),
        ("Which movies share a director with Iron Orchard?", "Paper Lanterns"),
        ("Which movie did Inez Cole write?", "The Quiet Ferry"),
        ("Who wrote and directed The Quiet Ferry?", "not in graph"),
        ("Who directed and also wrote Iron Orchard?", "not in graph"),
        ("Who acted in and directed Iron Orchard?", "not in graph"),
    ];
    check(FILMS, &questions).await;
    let both = format!("{FILMS}\n    Person Inez Cole -DIRECTED-> Movie The Quiet Ferry");
    check(&both, &[("Who wrote and directed The Quiet Ferry?", "Inez Cole")]).await;
}

const LABEL: &str = "
    Record Cinder Hymns | tracks = 9
    Record Long Wharf | tracks = 12
    Label Saltglass | founded = 1998
    Label Quiet Field | founded = 2004
    Person Iris Onde
    Person Marek Toll
    Studio Brickyard
    Record Cinder Hymns -RELEASED_BY-> Label Saltglass
    Record Long Wharf -RELEASED_BY-> Label Quiet Field
    Record Cinder Hymns -RECORDED_AT-> Studio Brickyard
    Record Long Wharf -RECORDED_AT-> Studio Brickyard
    Label Saltglass -FOUNDED_BY-> Person Iris Onde
    Label Quiet Field -FOUNDED_BY-> Person Marek Toll
";

/// A type called by a word that says nothing elsewhere, and a verb that is also the name of a property.
#[tokio::test]
async fn a_record_label() {
    let questions = [
        ("How many records were recorded at Brickyard?", "2"),
        ("Which records were released by Saltglass?", "Cinder Hymns"),
        ("Who founded the label that released Cinder Hymns?", "Iris Onde"),
        ("When was the label founded that released Long Wharf?", "2004"),
        ("How many were founded in 2004?", "1"),
    ];
    check(LABEL, &questions).await;
}

const GATES: &str = "
    Gate North Gate | owner = Harbour Office; tier = 1
    Gate South Gate | owner = Harbour Office; tier = 2
    Door Inner Door | width = 2
    Door Outer Door | width = 3
    Gate North Gate -HAS_DOOR-> Door Inner Door
    Gate South Gate -HAS_DOOR-> Door Outer Door
";

/// Who is asked for is a property, and not the only thing that may be had.
#[tokio::test]
async fn the_owner_of_a_gate() {
    check(GATES, &[("Who is the owner of North Gate?", "Harbour Office")]).await;
}

const RECIPES: &str = "
    Food Bread | price = 3
    Food Flour | price = 1
    Food Salt | price = 1
    Food Bread -NEEDS-> Food Flour
    Food Bread -NEEDS-> Food Salt
";

/// `I` am no food: that no food needs flour as bread does is not asked.
#[tokio::test]
async fn nothing_is_denied_of_what_nobody_speaks_of() {
    for question in ["Do I need flour to make bread?", "Do I need salt to need bread?"] {
        let answer = plainly(RECIPES, question).await;
        assert!(!answer.answer.starts_with("No:"), "{question}: {}", answer.answer);
    }
}
