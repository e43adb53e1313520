//! Services and teams: relative clauses, brackets, counts, lists with purposes.

use super::check;

const ONTOLOGY: &str = "
nodes:
  Service: {synonyms: [application, system], properties: {owner_email: {type: string}, replicas: {type: integer, synonyms: [instances]}, language: {type: string, enum: [Go, Python, Rust, TypeScript]}, launched: {type: date, synonyms: [live since, in production since, went live]}, tier: {type: integer}}, aliases: {billing-api: [], tax-core: [], geo-map: [], old-tax: []}}
  Team: {synonyms: [squad], properties: {members: {type: integer}}}
  Person: {synonyms: [engineer, developer], properties: {role: {type: string, synonyms: [position, job title]}}}
  Database: {synonyms: [store], properties: {engine: {type: string, enum: [PostgreSQL, Redis, ClickHouse]}}, aliases: {cart-cache: []}}
relationships:
  DEPENDS_ON: {from: [Service], to: [Service], cues: [depends on, calls, uses]}
  OWNED_BY: {from: [Service, Database], to: [Team], synonyms: [owner, owning team], cues: [is owned by], inverse_cues: [owns, maintains]}
  STORES_DATA_IN: {from: [Service], to: [Database], cues: [stores data in, keeps its data in]}
  ON_CALL_FOR: {from: [Person], to: [Service], synonyms: [on-call contact], cues: [is on call for]}
  LEADS: {from: [Person], to: [Team], synonyms: [lead, team lead], cues: [leads, is led by]}
  MEMBER_OF: {from: [Person], to: [Team], synonyms: [member], cues: [is a member of, works in]}
";

#[test]
fn facts_are_stated() {
    check(
        ONTOLOGY,
        &[
            (
                "# billing-api\n\nThe billing-api service, written in Rust, is owned by the Ledger team.",
                &["billing-api OWNED_BY Ledger", "billing-api.language = Rust"],
            ),
            (
                "The service billing-api calls the service tax-core for rates and the service geo-map for places.",
                &["billing-api DEPENDS_ON tax-core"],
            ),
            ("The service billing-api is a Go service (tier 2, 3 replicas).", &["billing-api.language = Go"]),
            (
                "The service billing-api runs with 6 replicas and belongs to tier 1.",
                &["billing-api.replicas = 6"],
            ),
            (
                "The on-call contact for the service billing-api is Ann Lee.",
                &["Ann Lee ON_CALL_FOR billing-api"],
            ),
            (
                "Ann Lee, an engineer in the Ledger team, is on call for the service billing-api.",
                &["Ann Lee ON_CALL_FOR billing-api"],
            ),
            ("The Ledger team is led by the engineer Ann Lee.", &["Ann Lee LEADS Ledger"]),
            (
                "The Ledger team, led by Ann Lee, owns the service billing-api.",
                &["Ann Lee LEADS Ledger", "billing-api OWNED_BY Ledger"],
            ),
            (
                "Ann Lee and Bo Ek are members of the Ledger team.",
                &["Ann Lee MEMBER_OF Ledger", "Bo Ek MEMBER_OF Ledger"],
            ),
            (
                "The members of the Ledger team are Ann Lee and Bo Ek.",
                &["Ann Lee MEMBER_OF Ledger", "Bo Ek MEMBER_OF Ledger"],
            ),
            (
                "The service billing-api, which the Ledger team maintains, depends on the service tax-core.",
                &["billing-api OWNED_BY Ledger", "billing-api DEPENDS_ON tax-core"],
            ),
            ("The Ledger team has 7 members.", &["Ledger.members = 7"]),
            (
                "The seven-member Ledger team owns the service billing-api.",
                &["Ledger.members = 7", "billing-api OWNED_BY Ledger"],
            ),
            ("Owner of the service billing-api: Ledger team.", &["billing-api OWNED_BY Ledger"]),
            (
                "Both the service tax-core and the service geo-map are owned by the Ledger team.",
                &["tax-core OWNED_BY Ledger", "geo-map OWNED_BY Ledger"],
            ),
            (
                "# billing-api service\n\nIt is owned by the Ledger team, which is led by Ann Lee, and calls the service tax-core.",
                &["billing-api OWNED_BY Ledger", "Ann Lee LEADS Ledger", "billing-api DEPENDS_ON tax-core"],
            ),
        ],
    );
}

#[test]
fn nothing_is_stated() {
    check(ONTOLOGY, &[("Without the service tax-core, the service billing-api cannot start.", &[])]);
}
