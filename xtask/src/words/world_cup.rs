//! The women's world cups as JSON Lines of an import, from their squads and tournaments.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

/// The role of coaches in a squad.
const COACH: &str = "0";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tournament {
    id: String,
    name: String,
    short_name: String,
    year: i64,
    teams: Vec<Team>,
}

#[derive(Debug, Deserialize)]
struct Team {
    id: String,
    team: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Squad {
    short_name: String,
    team_id: String,
    players: Vec<Person>,
}

#[derive(Debug, Deserialize)]
struct Person {
    id: String,
    name: String,
    role: String,
    dob: String,
}

#[derive(Debug, Default)]
struct Graph {
    nodes: BTreeMap<String, (BTreeSet<&'static str>, Value)>,
    relationships: BTreeSet<(String, &'static str, String)>,
}

/// Reads the folder of the public graph. What it does not have, its matches, is left out.
pub(super) fn lines(folder: &Path) -> Result<String> {
    let mut graph = Graph::default();
    let mut tournaments = BTreeMap::new();
    for tournament in read::<Tournament>(&folder.join("tournaments.json"))? {
        graph.tournament(&tournament);
        tournaments.insert(tournament.short_name, tournament.id);
    }
    for squad in read::<Squad>(&folder.join("squads.json"))? {
        let tournament = tournaments.get(&squad.short_name).context("a squad is of no tournament")?;
        graph.squad(&squad, tournament);
    }
    Ok(graph.lines())
}

fn read<T: for<'d> Deserialize<'d>>(file: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

impl Graph {
    fn tournament(&mut self, tournament: &Tournament) {
        let id = format!("tournament-{}", tournament.id);
        for team in &tournament.teams {
            let team_id = format!("team-{}", team.id);
            self.node(&team_id, "Team", json!({"name": team.team}));
            self.relationships.insert((team_id, "PARTICIPATED_IN", id.clone()));
        }
        self.node(&id, "Tournament", json!({"name": tournament.name, "year": tournament.year}));
    }

    fn squad(&mut self, squad: &Squad, tournament: &str) {
        let (team, tournament) = (format!("team-{}", squad.team_id), format!("tournament-{tournament}"));
        for person in &squad.players {
            let id = format!("person-{}", person.id);
            let mut properties = json!({"name": person.name});
            if !person.dob.is_empty() {
                properties["dob"] = json!({"$type": "date", "value": person.dob});
            }
            if person.role == COACH {
                self.node(&id, "Coach", properties);
                self.relationships.insert((id, "COACHED", team.clone()));
            } else {
                self.node(&id, "Player", properties);
                self.relationships.insert((id.clone(), "PLAYED_FOR", team.clone()));
                self.relationships.insert((id, "PLAYED_AT", tournament.clone()));
            }
        }
    }

    /// Adds a label to a node. Its properties are those of the first file that names it.
    fn node(&mut self, id: &str, label: &'static str, properties: Value) {
        self.nodes.entry(id.to_owned()).or_insert_with(|| (BTreeSet::new(), properties)).0.insert(label);
    }

    fn lines(&self) -> String {
        let mut lines = vec![json!({"graphwright": 1, "graph": "wwc2019"})];
        for (id, (labels, properties)) in &self.nodes {
            let labels: Vec<&str> = labels.iter().rev().copied().collect();
            lines.push(json!({"node": id, "labels": labels, "properties": properties}));
        }
        for (number, (from, kind, to)) in self.relationships.iter().enumerate() {
            let number = number.to_string();
            lines.push(
                json!({"relationship": number, "type": kind, "from": from, "to": to, "properties": {}}),
            );
        }
        let (nodes, relationships) = (self.nodes.len(), self.relationships.len());
        lines.push(json!({"end": {"nodes": nodes, "relationships": relationships, "vectors": 0}}));
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}
