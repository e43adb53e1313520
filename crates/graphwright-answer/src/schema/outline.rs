//! The schema in a few lines, for a model that is about to look something up.

use std::collections::BTreeMap;

use graphwright_core::names;
use graphwright_llm::estimate_tokens;
use graphwright_retrieve::Topology;

use super::Schema;

impl Schema {
    /// Writes types with their numbers and properties, and what the relationships connect, the most frequent first, within a
    /// number of tokens.
    pub(crate) fn outline(&self, topology: &Topology, tokens: u64) -> String {
        let mut types: Vec<(usize, &str)> = self
            .labels
            .iter()
            .filter(|label| !names::is_reserved(label))
            .map(|label| (topology.nodes_with_label(label).len(), label.as_str()))
            .filter(|(count, _)| *count > 0)
            .collect();
        types.sort_by_key(|(count, label)| (std::cmp::Reverse(*count), *label));
        let mut patterns: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
        for ((from, kind, to), count) in &self.patterns {
            let pattern = format!("(:{})-[:{}]->(:{})", self.label(*from), self.kind(*kind), self.label(*to));
            patterns.entry(self.kind(*kind)).or_default().push((*count, pattern));
        }
        let mut patterns: Vec<(usize, String)> = patterns.into_values().flatten().collect();
        patterns.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
        let lines = types.iter().map(|(count, label)| {
            let properties = self.properties.iter().filter(|property| {
                let number = self.label_numbers.get(*label);
                number.is_some_and(|number| property.labels.contains(number)) && property.name != names::NAME
            });
            let properties: Vec<&str> = properties.map(|property| property.name.as_str()).take(12).collect();
            let listed =
                if properties.is_empty() { String::new() } else { format!(": {}", properties.join(", ")) };
            format!("- {label} ({count}){listed}\n")
        });
        let mut text =
            String::from("The graph holds these types with their properties, and these relationships:\n");
        let mut left_out = 0;
        for line in lines.chain(patterns.into_iter().map(|(_, pattern)| format!("- {pattern}\n"))) {
            if estimate_tokens(&text) + estimate_tokens(&line) > tokens {
                left_out += 1;
            } else {
                text.push_str(&line);
            }
        }
        if left_out > 0 {
            text.push_str(&format!("({left_out} more; get_schema tells all)\n"));
        }
        text
    }
}
